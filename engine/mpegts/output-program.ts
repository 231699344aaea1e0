// The program of a spliced stream: stable PIDs for its tracks, and its PAT and PMT.
import { buildPatSection, buildPmtSection, type ElementaryStream, packetizeSection, type TsProgram } from './tables.ts'

/** Where the search for a free PID starts. */
const FIRST_PID = 0x100

/** Stream types of table 2-34 and common private ones. */
const VIDEO_TYPES = new Set([1, 2, 16, 27, 32, 33, 36, 51, 66, 234])
const AUDIO_TYPES = new Set([3, 4, 15, 17, 28, 129, 130, 131, 132, 133, 134, 135])

export class OutputProgram {
  /** By role. */
  readonly #pids = new Map<string, number>()
  #program: TsProgram | undefined
  #version = -1
  /** PIDs and types of the tracks. */
  #layout = ''
  /** Packets of the PAT and PMT, with continuity counters of 0. */
  pat: Buffer = Buffer.alloc(0)
  pmt: Buffer = Buffer.alloc(0)

  get pmtPid(): number {
    return this.#pids.get('pmt') ?? 0
  }

  streamTypes(): number[] {
    return this.#program?.streams.map(({ type }) => type) ?? []
  }

  /** The PID of a role, which never changes: the preferred one of the first stream with that role, if it is free. */
  assignPid(role: string, preferred: number): number {
    const known = this.#pids.get(role)
    if (known !== undefined) return known
    const used = new Set(this.#pids.values())
    let pid = preferred
    if (used.has(pid)) pid = FIRST_PID
    while (used.has(pid)) pid++
    this.#pids.set(role, pid)
    return pid
  }

  /**
   * Rebuilds the tables.
   * @param program with the output's PIDs; its number counts only the first time
   * @returns whether the tracks differ from those before
   */
  update(program: TsProgram): boolean {
    const next = { ...program, number: this.#program?.number ?? program.number }
    const previous = this.#program && buildPmtSection(this.#program, 0)
    if (!previous?.equals(buildPmtSection(next, 0))) this.#version++
    this.#program = next
    this.pat = packetizeSection(0, buildPatSection(next, 0))
    this.pmt = packetizeSection(next.pmtPid, buildPmtSection(next, this.#version))
    const layout = next.streams.map(({ pid, type }) => `${pid} ${type}`).join()
    const isDifferent = this.#layout !== '' && this.#layout !== layout
    this.#layout = layout
    return isDifferent
  }
}

/** The role of each stream: its kind, and its number among the streams of that kind, such as `audio 1`. */
function rolesOf(streams: readonly ElementaryStream[]): string[] {
  const counts = new Map<string, number>()
  return streams.map(({ type }) => {
    const kind = VIDEO_TYPES.has(type) ? 'video' : AUDIO_TYPES.has(type) ? 'audio' : `type ${type}`
    const count = counts.get(kind) ?? 0
    counts.set(kind, count + 1)
    return `${kind} ${count}`
  })
}

/** A track of the current source and how its packets are rewritten. */
export interface Track {
  /** PID in the output. */
  pid: number
  /** Result of `rolesOf`, or `clock` for a PID with the clock reference alone. */
  role: string
  /** Added to its continuity counter; undefined before its first packet. */
  counterShift: number | undefined
  /** Whether packets are skipped, because the current frame was already sent or its start is missing. */
  isSkipping: boolean
}

/**
 * Returns the source's program with the PIDs of the output, and its tracks by PID of the source.
 * @param output assigns the PIDs
 * @param previous tracks of the same source, which continue where their role is the same
 */
export function mapTracks(
  program: TsProgram,
  output: OutputProgram,
  previous: ReadonlyMap<number, Track>
): { program: TsProgram; tracks: Map<number, Track> } {
  const tracks = new Map<number, Track>()
  const addTrack = (sourcePid: number, track: Track) => {
    const known = previous.get(sourcePid)
    tracks.set(sourcePid, known?.role === track.role ? known : track)
  }
  const pmtPid = output.assignPid('pmt', program.pmtPid)
  const roles = rolesOf(program.streams)
  const streams = program.streams.map((stream, index) => {
    const role = roles[index] ?? ''
    const pid = output.assignPid(role, stream.pid)
    addTrack(stream.pid, { pid, role, counterShift: undefined, isSkipping: true })
    return { ...stream, pid }
  })
  const clockTrack = tracks.get(program.pcrPid)
  const pcrPid = clockTrack?.pid ?? output.assignPid('clock', program.pcrPid)
  if (!clockTrack) addTrack(program.pcrPid, { pid: pcrPid, role: 'clock', counterShift: undefined, isSkipping: false })
  return { program: { ...program, pmtPid, pcrPid, streams }, tracks }
}
