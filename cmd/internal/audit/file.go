package audit

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// File is a sink that appends to a file and waits until the disk has it.
type File struct {
	f    *os.File
	size int64 // bytes of whole lines that are kept
	last []byte
	// Torn reports that the file ended in the middle of a line, as a crash
	// leaves it. The torn line is closed with a line break and stays.
	Torn bool
}

// OpenFile opens or makes the file at path, readable by its owner alone.
func OpenFile(path string) (*File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600) //nolint:gosec // the operator names the file
	if err != nil {
		return nil, fmt.Errorf("open the audit log: %w", err)
	}
	s := &File{f: f}
	if err := s.find(); err != nil {
		return nil, errors.Join(fmt.Errorf("read the audit log: %w", err), f.Close())
	}
	return s, nil
}

// find looks for the last whole line from the end.
func (s *File) find() error {
	end, err := s.f.Seek(0, io.SeekEnd)
	if err != nil || end == 0 {
		return err
	}
	const block = 64 << 10
	var tail []byte
	for from := end; from > 0; {
		n := min(int64(block), from)
		from -= n
		buf := make([]byte, n)
		if _, err := s.f.ReadAt(buf, from); err != nil {
			return err
		}
		tail = append(buf, tail...)
		if s.lastLine(tail, from == 0) {
			break
		}
	}
	s.size = end
	if s.Torn {
		if _, err := s.f.WriteAt([]byte("\n"), end); err != nil {
			return err
		}
		s.size++
	}
	return nil
}

// lastLine finds the last line that carries its own sum in the file's tail.
// It reports whether that was found, or whole says there is nothing before it.
func (s *File) lastLine(tail []byte, whole bool) bool {
	s.Torn = tail[len(tail)-1] != '\n'
	lines := bytes.SplitAfter(tail, []byte("\n"))
	for i := len(lines) - 1; i > 0 || i == 0 && whole; i-- {
		if line := lines[i]; len(line) > 1 && line[len(line)-1] == '\n' && isClosed(line) {
			s.last = bytes.Clone(line)
			return true
		}
	}
	return whole
}

// isClosed tells a line of the chain from one that a crash tore.
func isClosed(line []byte) bool {
	_, _, ok := splitLine(line)
	return ok
}

// Write appends lines and waits for the disk. After an error the file is cut
// back to what was kept before.
func (s *File) Write(lines []byte) (int, error) {
	_, err := s.f.WriteAt(lines, s.size)
	if err == nil {
		err = s.f.Sync()
	}
	if err != nil {
		return 0, errors.Join(err, s.f.Truncate(s.size))
	}
	s.size += int64(len(lines))
	return len(lines), nil
}

// Last is the last whole line of the file.
func (s *File) Last() []byte { return s.last }

// Close closes the file.
func (s *File) Close() error { return s.f.Close() }

// Stream is a sink that only passes lines on, such as to standard output. Its
// chain begins anew with every start.
type Stream struct{ W io.Writer }

// Write passes lines on.
func (s Stream) Write(lines []byte) (int, error) { return s.W.Write(lines) }

// Last is nil: what was passed on cannot be read.
func (s Stream) Last() []byte { return nil }

// Close leaves the stream to its owner.
func (s Stream) Close() error { return nil }
