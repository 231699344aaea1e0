// The interface to NDI.
import type { MissingPartDetail } from '../../contract/stream/missing-part.ts'
import type { Failure } from './failure.ts'

/** The installed NDI runtime and the programs that use it. */
export interface NdiRuntime {
  /** Path of the library. */
  library: string
  /** Version text of the library. */
  version: string
  /** Path of `headend-ndi`. */
  program: string
  /** Path of the ffmpeg that encodes and decodes for it. */
  ffmpeg: string
}

export interface Ndi {
  /** @throws NdiUnavailableError if the runtime or a program is missing or cannot be used */
  findRuntime(): Promise<NdiRuntime>
  /** At most one: the runtime with its file name, or `headend-ndi` with the command that installs it. */
  listMissing(): MissingPartDetail[]
}

export interface NdiSources {
  /** Addresses by source name. */
  sources: ReadonlyMap<string, string>
  /** Version of the runtime, if it can be used. */
  version?: string
  /** Why the runtime cannot be used. `sources` are then those that DNS-SD finds, which cannot be received. */
  failure?: Failure
}
