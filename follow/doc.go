// Package follow reads files that grow, rotate and vanish, and gives their bytes.
//
// The common path: [Follow] is given paths and patterns and calls a sink with the lines of each file,
// from the beginning or from the end of what is there, until its context ends.
//
// A followed path has generations. A generation begins when the path leads to another file (renamed and
// created anew, replaced, a link that points elsewhere) or when the bytes that were read are no longer
// in the file (truncated, grown again or not). Its file stays open and is read to the end, whatever its
// name is by then, until nothing has been written to it for a while. Generations that came and went
// between two looks are found beside the path, by names such as app.log.1 and app-20260102T030405.log,
// plain or compressed (gzip, bzip2, zstd). So is the copy that a copying rotation made before it
// truncated. Files are told apart by what they contain, and by number only besides, since numbers are
// used again.
//
// Guarantees:
//   - Every byte is given once, in order within a generation, as long as it can still be read
//     somewhere. What is known to be gone before it could be read is counted in [Event.Lost].
//   - No line is put together from two generations: a generation that ends within a line gets a newline.
//   - Memory is bounded: one buffer of 256 KiB, and for each file the line that is being written, up to
//     64 KiB, and a kilobyte or two for each generation that is open or remembered.
//   - File events only wake the reader up. All paths are also looked at every [Options.Interval], so
//     that lost events, file systems without events and exhausted limits cost latency and nothing else.
//
// What cannot be had: bytes written and truncated away between two looks with no copy beside the file;
// a generation removed, replaced or moved to another directory before it was ever seen; a truncated
// file that has grown again beyond its old size with the very same bytes before the old end.
package follow
