// Tracks of a spliced stream: which PID of the output each of the source's tracks has.
import { type OutputProgram, rolesOf } from './output-program.ts'
import type { TsProgram } from './tables.ts'

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
