package container

// Pause, where it is set, is called now and then while something is
// decompressed: at least once for every stretch of bytes that come out. A
// program that has one thread lets other work be done in it.
var Pause func()

const stretch = 256 << 10
