// Package bench measures the library, beside others where they do the same work.
package bench
