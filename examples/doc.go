// Package examples holds runnable programs, each in a folder of its own, that show one use of the library.
package examples
