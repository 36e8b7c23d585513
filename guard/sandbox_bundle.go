package guard

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
)

// bundleKinds are the files of a policy that travel into the sandbox.
func bundleKinds() []string { return []string{".rego", ".yaml", ".json"} }

// pack writes the files of a policy into an archive, which is a file system
// again on the other side.
func pack(fsys fs.FS) ([]byte, error) {
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	total := int64(0)
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains(bundleKinds(), path.Ext(name)) {
			return err
		}
		src, err := readLimited(fsys, name, maxBundleBytes)
		if err != nil {
			return err
		}
		if total += int64(len(src)); total > maxBundleBytes {
			return fmt.Errorf("the policy has more than %d bytes", maxBundleBytes)
		}
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			return err
		}
		_, err = f.Write(src)
		return err
	})
	if err = errors.Join(err, w.Close()); err != nil {
		return nil, fmt.Errorf("pack the policy: %w", err)
	}
	return buf.Bytes(), nil
}

func unpack(bundle []byte) (fs.FS, error) {
	r, err := zip.NewReader(bytes.NewReader(bundle), int64(len(bundle)))
	if err != nil {
		return nil, fmt.Errorf("unpack the policy: %w", err)
	}
	return r, nil
}
