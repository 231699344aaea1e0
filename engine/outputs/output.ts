// One output: the process that carries the stream to its target, and what was measured of it.
import {
  CONNECTION,
  HTTP,
  NDI,
  PROTOCOL_DEFAULT,
  RTP,
  RTSP,
  SOURCE,
  SRT,
  UDP
} from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import { type Allowed, ANYBODY } from '../access/ip-allow-list.ts'
import { hlsOutput } from '../hls/hls-output.ts'
import type { Tap } from '../inputs/input.ts'
import type { WantedOutput } from '../interfaces/channel.ts'
import type { Surroundings } from '../interfaces/engine-context.ts'
import type { Output } from '../interfaces/leg.ts'
import { createFeed, type Feed } from '../mpegts/packet-queue.ts'
import { ndiOutput } from '../ndi/ndi-output.ts'
import { explain, failure } from '../process/failure.ts'
import type { Launch, Process } from '../process/launcher.ts'
import { type Attempt, createSupervisor } from '../process/supervisor.ts'
import { systemFailure } from '../process/system-failure.ts'
import { rtspOutput } from '../rtsp/rtsp-output.ts'
import { makeCall, SRT_PROGRAM } from '../srt/caller.ts'
import { srtListenerOutput } from '../srt/listener-output.ts'
import { createSrtTally } from '../srt/srt-totals.ts'
import { carrying, createMeter } from '../stats/meter.ts'
import { datagramOutput } from './datagram-output.ts'
import { deviceOutput } from './device-output.ts'
import { createHubOutput } from './in-process-output.ts'
import { type OutputCommand, outputCommand, type ProcessOutput, targetHost, toAddress } from './output-command.ts'
import { createTapping } from './subscription.ts'

/** Milliseconds for which a failure is shown while the next try has nothing to show yet. */
const STICKY = 5000
/** Milliseconds without a packet after which an open output is given null packets, so that a client that left is noticed. */
const PAD_AFTER = 1000

/**
 * Starts with the first key frame of its input; what listens, and what needs no process, starts at once.
 * @param allowed from where players may come now, where they come to it; `recheck` tells of another one
 */
export function createOutput(
  wanted: WantedOutput,
  around: Surroundings,
  allowed: () => Allowed = () => ANYBODY
): Output {
  switch (wanted.protocol) {
    case UDP:
    case RTP:
      return createHubOutput(datagramOutput(wanted.protocol, wanted.config, around.place), around)
    case RTSP:
      return createHubOutput(rtspOutput(wanted.config, around), around, allowed)
    case HTTP:
      return createHubOutput(hlsOutput(wanted.config, around), around, allowed)
    case NDI:
      return createHubOutput(ndiOutput(wanted.name, wanted.config, around), around)
    case PROTOCOL_DEFAULT: {
      const { open, ...end } = deviceOutput(wanted.config, around)
      return createHubOutput(open, around, undefined, end)
    }
    case SRT: {
      // Without our program ffmpeg listens; but it lets everybody in.
      const ours = around.srtProgram() ?? (allowed().ranges.length > 0 ? SRT_PROGRAM : undefined)
      const program = wanted.config.mode === 'listener' ? ours : undefined
      if (program !== undefined)
        return createHubOutput(srtListenerOutput(wanted.config, program, around), around, allowed)
      return createProcessOutput(wanted, around)
    }
    default:
      return createProcessOutput(wanted as ProcessOutput, around)
  }
}

function createProcessOutput(wanted: ProcessOutput, around: Surroundings): Output {
  const { launcher, patience, now, changed } = around
  const meter = createMeter()
  const tally = createSrtTally()
  let command: OutputCommand | undefined
  let feed: Feed | undefined
  let open = false
  let fedAt = 0
  let movedAt = 0
  let word: Reason | undefined
  /** Runs that ended because probing was too short. */
  let probes = 0
  const listens = wanted.protocol === 2 && wanted.config.mode === 'listener'

  const supervisor = createSupervisor({ begin, carried: meter.ran, changed, quiet: launcher.quiet, now })

  const tap: Tap = {
    media(data, starts, tables) {
      fedAt = now()
      if (feed) feed.take(data, starts, tables)
      else if (starts.length > 0) supervisor.wake()
    },
    over() {
      // Passed on as they are, the bytes of another stream need only begin at a key frame. What was remuxed must be set up anew.
      if (command?.raw || listens) {
        if (open) feed?.seek()
      } else {
        shut()
        supervisor.park()
      }
    }
  }
  const tapping = createTapping(tap)

  function shut(): void {
    feed = undefined
    open = false
  }

  async function begin(attempt: Attempt): Promise<Process | undefined> {
    const host = targetHost(wanted)
    let target = wanted
    let places: Launch['places'] = {}
    if (host !== undefined)
      try {
        const address = await around.place(host)
        target = toAddress(wanted, address)
        places = { [host]: address }
      } catch (error) {
        attempt.over(systemFailure(error as Error))
      }
    if (!attempt.alive()) return undefined
    const made = outputCommand(target, around.outputHost, probes)
    command = made
    meter.reset()
    let carried = 0
    const works = () => {
      if (!attempt.alive() || open) return
      open = true
      movedAt = now()
      supervisor.works()
      // Until now it was given nothing but null packets: it begins with what is live.
      if (made.raw) feed?.seek()
      changed()
    }
    /** Bytes so far. */
    const carries = (size: number) => {
      const sum = size - (feed?.padded() ?? 0)
      if (!attempt.alive() || sum <= carried) return
      const at = now()
      if (!meter.carrying(at)) changed()
      meter.add(sum - carried, at)
      carried = sum
      movedAt = at
    }
    const call = makeCall(made.call, around.srtProgram(), {
      opened: works,
      figures(figures) {
        tally.heard(figures, attempt, now())
        carries(figures.bytes)
      }
    })
    const process = launcher.run({
      ...(call
        ? call.launch
        : {
            args: made.args,
            preset: made.preset,
            ...(made.hides && { hides: made.hides, places }),
            progress(size) {
              works()
              carries(size)
            }
          }),
      takes: true,
      ended(lines) {
        const was = open
        shut()
        if (lines.some((line) => line.includes('Could not find codec parameters'))) probes++
        if (made.listens && was) {
          word = 'client-left'
          attempt.over()
        } else
          attempt.over(
            call?.failure() ??
              explain(lines, { opened: was, srtCaller: made.raw && !made.listens, secrets: made.secrets })
          )
      }
    })
    if (process.input) {
      feed = createFeed(process.input, () => tapping.stream()?.kbps() ?? 0)
      // What ffmpeg takes to open: null packets for one that reads nothing, the stream itself for one that probes.
      if (!made.raw) feed.seek()
      else if (!call) feed.pad()
    }
    return process
  }

  function giveUp(connState: number, reason: Reason): void {
    shut()
    supervisor.again(failure(connState, reason))
  }

  if (listens) supervisor.wake()

  return {
    attach: tapping.to,
    total: meter.total,
    counted: (at) => ({ bytes: meter.settled(at), ...tally.counted(at) }),
    lastWord: () => word,
    view(at) {
      const dropped = feed?.dropped()
      const more = { ...(listens && { clientNum: open ? 1 : 0 }), ...(dropped && { dropped }) }
      const still = { kbps: 0, livingTimeS: 0, ...more }
      const phase = supervisor.phase()
      if (open && meter.carrying(at)) return { ...more, ...carrying(meter, at) }
      if (open) {
        const stuck = feed && feed.queued() > 0 ? 'target-stuck' : undefined
        const reason = tapping.stream()?.carrying() ? stuck : 'input-silent'
        return {
          ...still,
          state: SOURCE.running,
          connState: CONNECTION.waitingForData,
          ...(reason && { reason })
        }
      }
      const why = supervisor.failure()
      if (why && !(phase === 'running' && at - supervisor.since() > (listens ? 1000 : STICKY)))
        return { ...still, ...why }
      if (listens) return { ...still, state: SOURCE.running, connState: CONNECTION.waiting }
      // It is set up when there is something to send.
      if (phase === 'parked')
        return {
          ...still,
          ...(!tapping.stream()?.carrying() && { reason: 'input-silent' }),
          state: SOURCE.initializing,
          connState: CONNECTION.waiting
        }
      return { ...still, state: SOURCE.adding, connState: CONNECTION.connecting }
    },
    tick(at) {
      if (supervisor.phase() !== 'running' || !feed) return
      if (open) {
        if (command?.raw && at - fedAt > PAD_AFTER) feed.pad()
        if (feed.queued() === 0) movedAt = Math.max(movedAt, fedAt)
        if (feed.queued() > 0 && at - movedAt > patience.stall)
          giveUp(CONNECTION.disconnected, `target-stuck-for ${Math.round(patience.stall / 1000)}`)
      } else if (!listens && at - supervisor.since() > patience.start) giveUp(CONNECTION.failed, 'timed-out')
    },
    async stop() {
      tapping.leave()
      shut()
      await supervisor.park()
    }
  }
}
