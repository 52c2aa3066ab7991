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

// canFolder says whether the browser writes into folders of the user.
func canFolder() bool { return js.Global().Get("showDirectoryPicker").Truthy() }

// chooseFolder asks for a folder, and calls back with what writes into it.
// Each file gets its contents at once when it is closed, and the metadata,
// without which nothing opens the others, come last.
func chooseFolder(then func(keep func(files []rpc.SavedFile) error)) {
	choice := js.Global().Call("showDirectoryPicker", map[string]any{"mode": "readwrite", "id": "pcpscope-save"})
	go func() {
		folder, err := rpc.Await(choice)
		if err != nil {
			return // the user thought better of it
		}
		then(func(files []rpc.SavedFile) error {
			for _, f := range files {
				if err := writeInto(folder, f); err != nil {
					return pcp.Faultf(pcp.BadArgument, "%s could not be written into the folder %s: %s Files that were written before it are no archive.",
						f.Name, folder.Get("name").String(), pcp.AsFault(err).Message)
				}
			}
			return nil
		})
	}()
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
