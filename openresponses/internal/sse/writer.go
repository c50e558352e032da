package sse

import (
	"bytes"
	"strings"
)

// AppendEvent appends one frame to dst: the event's name, its data and the blank line. data is JSON without line
// breaks; should it have some, each starts a data line of its own, which a reader joins to the same JSON. A name
// that is empty or has line breaks is left out, for it carries nothing that the data does not.
func AppendEvent(dst []byte, typ string, data []byte) []byte {
	if typ != "" && !strings.ContainsAny(typ, "\r\n") {
		dst = append(dst, "event: "...)
		dst = append(dst, typ...)
		dst = append(dst, '\n')
	}
	for {
		i := lineBreak(data)
		if i < 0 {
			break
		}
		dst = appendData(dst, data[:i])
		data = data[i+1:]
	}
	dst = appendData(dst, data)
	return append(dst, '\n')
}

// AppendDone appends the frame that ends a stream.
func AppendDone(dst []byte) []byte { return append(dst, "data: [DONE]\n\n"...) }

func appendData(dst, line []byte) []byte {
	dst = append(dst, "data: "...)
	dst = append(dst, line...)
	return append(dst, '\n')
}

// lineBreak returns the place of the first CR or LF in data, or -1. It looks for each in turn, which for the usual
// data without either is much faster than one pass for both.
func lineBreak(data []byte) int {
	lf := bytes.IndexByte(data, '\n')
	if lf >= 0 {
		data = data[:lf]
	}
	if cr := bytes.IndexByte(data, '\r'); cr >= 0 {
		return cr
	}
	return lf
}
