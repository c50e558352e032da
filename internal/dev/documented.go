package main

import (
	"go/ast"
	"go/token"
	"strings"
)

// undocumented finds exported identifiers without a doc comment: functions,
// methods of exported types, types, methods of exported interfaces, constants
// and variables. A comment on a group, or behind a name, counts for its names,
// and that of an interface for its only method. Struct fields may speak for
// themselves.
func undocumented(file *ast.File, found func(token.Pos, string, ...any)) {
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				name = receiver(d) + "." + name
			}
			if exported(name) && d.Doc == nil {
				found(d.Type.Pos(), "%s has no doc comment", name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				undocumentedSpec(d, spec, found)
			}
		}
	}
}

func undocumentedSpec(d *ast.GenDecl, spec ast.Spec, found func(token.Pos, string, ...any)) {
	switch s := spec.(type) {
	case *ast.ValueSpec:
		if s.Doc != nil || s.Comment != nil || d.Doc != nil {
			return
		}
		for _, name := range s.Names {
			if name.IsExported() {
				found(name.Pos(), "%s has no doc comment", name.Name)
			}
		}
	case *ast.TypeSpec:
		if !s.Name.IsExported() {
			return
		}
		if s.Doc == nil && s.Comment == nil && (d.Doc == nil || d.Lparen.IsValid()) {
			found(s.Pos(), "%s has no doc comment", s.Name.Name)
		}
		if i, ok := s.Type.(*ast.InterfaceType); ok && i.Methods.NumFields() > 1 {
			undocumentedMethods(s.Name.Name, i, found)
		}
	}
}

func undocumentedMethods(of string, i *ast.InterfaceType, found func(token.Pos, string, ...any)) {
	for _, method := range i.Methods.List {
		if method.Doc != nil || method.Comment != nil {
			continue
		}
		for _, name := range method.Names {
			if name.IsExported() {
				found(name.Pos(), "%s.%s has no doc comment", of, name.Name)
			}
		}
	}
}

// receiver returns the name of the type that a method belongs to.
func receiver(d *ast.FuncDecl) string {
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// exported says whether every part of a dotted name is.
func exported(name string) bool {
	for part := range strings.SplitSeq(name, ".") {
		if !ast.IsExported(part) {
			return false
		}
	}
	return true
}
