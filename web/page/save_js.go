package page

import (
	"syscall/js"

	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
)

// keepFiles hands the files of an archive to the user as downloads.
func keepFiles(files []rpc.SavedFile) error {
	for _, f := range files {
		if blob, ok := f.Data.(js.Value); ok {
			saveBlob(f.Name, blob)
		}
	}
	return nil
}

// canFolder reports whether the browser can write into the user's folders.
func canFolder() bool { return js.Global().Get("showDirectoryPicker").Truthy() }

// chooseFolder asks for a folder, and calls back with a function that writes
// into it. Each file gets its contents at once when it is closed, and the
// metadata, without which nothing opens the others, is written last.
func chooseFolder(then func(keep func(files []rpc.SavedFile) error)) {
	choice := js.Global().Call("showDirectoryPicker", map[string]any{"mode": "readwrite", "id": "pcpscope-save"})
	go func() {
		folder, err := rpc.Await(choice)
		if err != nil {
			return // the user cancelled
		}
		then(func(files []rpc.SavedFile) error { return writeAll(folder, files) })
	}()
}

func writeAll(folder js.Value, files []rpc.SavedFile) error {
	name := folder.Get("name").String()
	for _, f := range files { // they may be the files that are open
		if _, err := rpc.Await(folder.Call("getFileHandle", f.Name)); err == nil {
			return pcp.Faultf(pcp.BadArgument, "The folder %s already has a file %s, which is not overwritten: choose another folder or another name.", name, f.Name)
		}
	}
	for i, f := range files {
		err := writeInto(folder, f)
		if err == nil {
			continue
		}
		for _, f := range files[:i+1] {
			rpc.Await(folder.Call("removeEntry", f.Name))
		}
		return pcp.Faultf(pcp.BadArgument, "%s could not be written into the folder %s, and nothing was saved: %s", f.Name, name, pcp.AsFault(err).Message)
	}
	return nil
}

func writeInto(folder js.Value, f rpc.SavedFile) error {
	handle, err := rpc.Await(folder.Call("getFileHandle", f.Name, map[string]any{"create": true}))
	if err != nil {
		return err
	}
	out, err := rpc.Await(handle.Call("createWritable"))
	if err != nil {
		return err
	}
	if _, err := rpc.Await(out.Call("write", f.Data)); err != nil {
		rpc.Await(out.Call("abort"))
		return err
	}
	_, err = rpc.Await(out.Call("close"))
	return err
}
