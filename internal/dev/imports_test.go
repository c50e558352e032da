package main

import (
	"testing"
)

func TestImports(t *testing.T) {
	for _, c := range []struct {
		name string
		file string
		text string
		want string // what it finds; "": that all is well
	}{
		{"the root, from below", "a.go", `import _ "` + openresponsesPath + `/echo"`, ""},
		{"the root, from itself", "sub/a.go", `import _ "` + rootPath + `/compact"`, ""},
		{"the root, from another module inside it", "a.go", `import _ "` + rootPath + `/session"`,
			"a.go:3: " + rootPath + " may not import " + rootPath + "/session"},
		{"the root, from a module inside one that it may use", "a.go", `import _ "` + agenttoolPath + `/mcpclient"`,
			"a.go:3: " + rootPath + " may not import " + agenttoolPath + "/mcpclient"},
		{"a test is held to the same", "a_test.go", `import _ "example.test/assert"`,
			"a_test.go:3: " + rootPath + " may not import example.test/assert"},
		{"so is a file for another system", "a_plan9.go", `import _ "example.test/plan"`,
			"a_plan9.go:3: " + rootPath + " may not import example.test/plan"},
		{"and C", "a.go", `import "C"`, "a.go:3: " + rootPath + " may not import C"},
		{"a module above is its own matter", "session/a.go", `import _ "example.test/database"`, ""},
		{"agenttool, from below", "agenttool/a.go", `import _ "` + openresponsesPath + `"`, ""},
		{"agenttool, from above", "agenttool/a.go", `import _ "` + rootPath + `"`,
			"agenttool/a.go:3: " + agenttoolPath + " may not import " + rootPath},
		{"openresponses, from above", "openresponses/a.go", `import _ "` + agenttoolPath + `"`,
			"openresponses/a.go:3: " + openresponsesPath + " may not import " + agenttoolPath},
		{"its websocket package", "openresponses/websocket/a.go", `import _ "github.com/coder/websocket"`, ""},
		{"a package below that", "openresponses/websocket/internal/a.go", `import _ "github.com/coder/websocket/wsjson"`, ""},
		{"a websocket elsewhere", "openresponses/a.go", `import _ "github.com/coder/websocket"`,
			"openresponses/a.go:3: " + openresponsesPath + " may not import github.com/coder/websocket"},
		{"a library that imports that package", "openresponses/a.go", `import _ "` + openresponsesPath + `/websocket"`,
			"openresponses/a.go:3: " + openresponsesPath + " may not import " + openresponsesPath + "/websocket"},
		{"its test may", "openresponses/a_test.go", `import _ "` + openresponsesPath + `/websocket"`, ""},
		{"a name that only begins alike", "openresponses/websocket/a.go", `import _ "github.com/coder/websockets"`,
			"openresponses/websocket/a.go:3: " + openresponsesPath + " may not import github.com/coder/websockets"},
		{"a file that does not parse", "a.go", `import {`, "a.go:3:"},
		{"fixtures are no source", "testdata/a.go", `import _ "example.test/anything"`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			top := tree(t, map[string]string{
				"go.work":                    "go 1.25\n",
				"go.mod":                     "module " + rootPath + "\n",
				"agenttool/go.mod":           "module " + agenttoolPath + "\n",
				"agenttool/mcpclient/go.mod": "module " + agenttoolPath + "/mcpclient\n",
				"openresponses/go.mod":       "module " + openresponsesPath + "\n",
				"session/go.mod":             "module " + rootPath + "/session\n",
				c.file:                       "package p\n\n" + c.text + "\n",
			})
			status, out, _ := dev(t, top, "imports")
			if (c.want != "") != (status == 1) {
				t.Errorf("exit status %d\n%s", status, out)
			}
			expect(t, out, c.want)
		})
	}
}

func TestImportsWithoutTheModules(t *testing.T) {
	status, out, _ := dev(t, tree(t, map[string]string{"go.work": "go 1.25\n"}), "imports")
	if status != 1 {
		t.Errorf("exit status %d, want 1", status)
	}
	expect(t, out, "no module "+rootPath)
}
