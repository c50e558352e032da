package openresponses_test

import (
	"fmt"
	"regexp"
	"slices"
	"sync"
	"testing"

	or "github.com/ChristopherDavenport/openresponses"
)

func TestMemoryStoreEviction(t *testing.T) {
	tests := map[string]struct {
		capacity int
		steps    string // s save, l load, d delete, each followed by an ID
		want     string
	}{
		"oldest goes":                    {2, "sa sb sc", "bc"},
		"saving again keeps the age":     {2, "sa sb sa sc", "bc"},
		"loading keeps the age":          {2, "sa sb la sc", "bc"},
		"deleting makes room":            {2, "sa sb da sc", "bc"},
		"deleted and saved is new":       {2, "sa sb da sa sc", "ac"},
		"deleting the unknown":           {2, "sa dx", "a"},
		"no capacity counts as one":      {0, "sa sb", "b"},
		"less than none counts as one":   {-5, "sa sb", "b"},
		"nothing is evicted before time": {3, "sa sb sc", "abc"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			store := or.NewMemoryStore(tt.capacity)
			for _, step := range regexp.MustCompile(`\S+`).FindAllString(tt.steps, -1) {
				var err error
				switch id := step[1:]; step[0] {
				case 's':
					err = store.Save(t.Context(), id, or.Items{or.UserText(id)})
				case 'l':
					_, _, err = store.Load(t.Context(), id)
				case 'd':
					err = store.Delete(t.Context(), id)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			got := ""
			for _, id := range []string{"a", "b", "c"} {
				if _, ok, _ := store.Load(t.Context(), id); ok {
					got += id
				}
			}
			if got != tt.want || store.Len() != len(tt.want) {
				t.Errorf("holds %q (%d), want %q", got, store.Len(), tt.want)
			}
		})
	}
}

func TestMemoryStoreValues(t *testing.T) {
	var store or.MemoryStore // the zero value works
	if items, ok, err := store.Load(t.Context(), "a"); items != nil || ok || err != nil {
		t.Errorf("of nothing: %v, %v, %v", items, ok, err)
	}
	first, second := or.Items{or.UserText("1")}, or.Items{or.UserText("2")}
	store.Save(t.Context(), "a", first)
	store.Save(t.Context(), "a", second)
	if got, ok, _ := store.Load(t.Context(), "a"); !ok || !slices.Equal(got, second) {
		t.Errorf("got %v", got)
	}
}

func TestMemoryStoreConcurrently(t *testing.T) {
	store := or.NewMemoryStore(8)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for j := range 100 {
				id := fmt.Sprint(i, j%10)
				store.Save(t.Context(), id, nil)
				store.Load(t.Context(), id)
				if j%3 == 0 {
					store.Delete(t.Context(), id)
				}
			}
		})
	}
	wg.Wait()
	if n := store.Len(); n > 8 {
		t.Errorf("holds %d", n)
	}
}

func TestNewID(t *testing.T) {
	shape := regexp.MustCompile(`^resp_[0-9a-f]{24}$`)
	seen := map[string]bool{}
	for range 100 {
		id := or.NewID("resp")
		if !shape.MatchString(id) || seen[id] {
			t.Fatalf("ID %q", id)
		}
		seen[id] = true
	}
	if id := or.NewID(""); len(id) != 25 || id[0] != '_' {
		t.Errorf("without a prefix: %q", id)
	}
}
