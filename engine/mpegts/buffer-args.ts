/**
 * Options of ffmpeg's MPEG-TS muxer for the playback buffer: the clock reference is that much behind the frames, so
 * receivers hold each frame that long before they show it.
 * @param milliseconds 0: frames are shown as soon as they are decoded
 */
export const bufferArgs = (milliseconds = 0): string[] => ['-muxdelay', String(milliseconds / 1000), '-muxpreload', '0']
