// Playing a channel in a page of the console: the engine repackages its stream as fragmented MP4.

/** What a page needs to know before the first byte. */
export interface WatchHead {
  /** MIME type with the codecs of all tracks: `video/mp4; codecs="avc1.64001f,mp4a.40.2"`. */
  type: string
  /** Name of the codec of audio that is left out, because browsers do not play it: `MP2`. */
  missingAudio?: string
}

/** Receives the fragmented MP4 of one watcher, for example a response. */
export interface WatchSink {
  /** Called once, before anything is written. */
  open(head: WatchHead): void
  /** Takes an initialization segment, or a fragment. The bytes are not changed later. */
  write(bytes: Buffer): void
  /** Bytes that were written but not read yet. */
  queuedBytes(): number
  /** The stream has ended or its format has changed; a new watcher gets what follows. Before `open`: there is no stream. */
  end(): void
}
