// Package jsonx reads and writes JSON without reflection.
//
// It has three layers. The Append functions write values byte for byte as
// encoding/json does. A [Reader] pulls values out of a byte slice and agrees
// with encoding/json on what is valid and what it means. An [Object] is a table
// of fields, declared once for a struct type, from which encoding, decoding and
// copying all follow.
//
// Where this package deliberately differs from encoding/json:
//
//   - a member that comes twice is replaced as a whole, never merged;
//   - decoding stops at the first error and leaves the target as it was;
//   - raw values are repaired as they are written: an escape that is half of a
//     surrogate pair and bytes that are not UTF-8 become U+FFFD, since strict
//     receivers refuse them.
package jsonx
