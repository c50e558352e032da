package openresponses

import (
	"reflect"
	"testing"
)

// fillIn finds the member of a bit by the place of its field.
func TestResponseMembersAreFirst(t *testing.T) {
	typ := reflect.TypeFor[Response]()
	for i := range responseMembers {
		name := typ.Field(i).Tag.Get("json")
		if !responseFields.Has(1<<i, name) {
			t.Errorf("bit %d is not that of %s", i, name)
		}
	}
	if name := typ.Field(responseMembers).Name; name != "Extra" {
		t.Errorf("%s comes after the members", name)
	}
}
