// Package interop drives the library against clients and servers written by others.
package interop
