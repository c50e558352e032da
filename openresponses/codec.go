package openresponses

import "github.com/ChristopherDavenport/openresponses/internal/jsonx"

// An appender is a value that appends its own JSON. Only values that builtin
// reports may be asked: a foreign type that embeds one of ours has the method,
// but perhaps a MarshalJSON of its own.
type appender interface {
	appendJSON(dst []byte) ([]byte, error)
}

// unmarshalWhole decodes all of data into v, which keeps its value on error.
func unmarshalWhole[V any](data []byte, v *V, decode func(*jsonx.Reader, *V) error) error {
	r := jsonx.NewReader(data)
	defer r.Release()
	var fresh V
	err := decode(r, &fresh)
	if err == nil {
		err = r.End()
	}
	if err == nil {
		*v = fresh
	}
	return err
}

// decodeArray decodes an array, or null as an empty list that is not nil.
func decodeArray[L ~[]E, E any](codec jsonx.Codec[E]) func(*jsonx.Reader, *L) error {
	return func(r *jsonx.Reader, list *L) error {
		null, err := r.Null()
		if null {
			*list = L{}
			return err
		}
		*list, err = jsonx.DecodeList[L](r, codec)
		return err
	}
}

// copyByJSON replaces a value with what encoding and decoding it gives.
func copyByJSON[V any](v *V, append func([]byte) ([]byte, error), decode func(*jsonx.Reader, *V) error) error {
	data, err := append(nil)
	if err != nil {
		return err
	}
	return unmarshalWhole(data, v, decode)
}
