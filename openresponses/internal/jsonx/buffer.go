package jsonx

import (
	"bytes"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new([]byte) }}

// maxBuffer is the size of the largest buffer that is kept for the next value.
const maxBuffer = 1 << 20

// Marshal returns what append appends, in a slice of its own. It is for values
// whose size cannot be told beforehand: they grow in a buffer that is used again.
func Marshal(append func(dst []byte) ([]byte, error)) ([]byte, error) {
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	data, err := append((*buf)[:0])
	if cap(data) <= maxBuffer {
		*buf = data[:0]
	}
	if err != nil {
		return nil, err
	}
	return bytes.Clone(data), nil
}
