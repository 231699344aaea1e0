// Reads the reports of a relay from its events.
import { getSystemErrorName } from 'node:util'
import type {
  RelayProgram,
  RelayReport,
  RelaySource,
  RelaySubscriber,
  RelayTarget,
  TransportCounts
} from '../interfaces/relay.ts'

/** An event with measured values (engine/native/relay/report.c). */
export interface ReportEvent {
  /** Section of the PMT, in hexadecimal digits. */
  pmt?: string
  /** The first bytes of a frame, in hexadecimal digits. */
  sample?: [pid: number, bytes: string]
  group?: [frames: number, ticks: number]
  /** By PID: milliseconds since the last packet of an elementary stream; -1: it had none. */
  ages?: [pid: number, age: number][]
  /** Absent: as before. Ages are milliseconds since the last error; jitter is in microseconds, -1: not measured. */
  transport?: { errors: [count: number, age: number][]; jitter: number }
  /** Number of programs that follow. */
  programs?: number
  program?: [number: number, ...types: number[]]
  target?: [id: number, bytes: number, packets: number, dropped: number, refusalAge: number, error: number]
  subscriber?: [id: number, sent: number, queued: number, dropped: number, nullPackets: number]
  source?: [
    bytes: number,
    packets: number,
    gaps: number,
    lost: number,
    invalid: number,
    isCarrying: 0 | 1,
    starts: number,
    revision: number,
    seams: number
  ]
}

const NO_SOURCE: RelaySource = {
  bytes: 0,
  packets: 0,
  gaps: 0,
  lost: 0,
  invalidBytes: 0,
  isCarrying: false,
  starts: 0,
  revision: 0,
  seams: 0,
  programs: [],
  ages: new Map(),
  transport: { errors: [] },
  format: { samples: [] }
}

export class ReportBuilder {
  #report: RelayReport = { source: NO_SOURCE, targets: new Map(), subscribers: new Map() }
  #programs: RelayProgram[] = []
  #pmt: Buffer | undefined
  #samples: [pid: number, bytes: Buffer][] = []
  #group: [frames: number, ticks: number] | undefined
  #ages: RelaySource['ages'] = NO_SOURCE.ages
  #transport = NO_SOURCE.transport
  #targets = new Map<number, RelayTarget>()
  #subscribers = new Map<number, RelaySubscriber>()

  /** The last complete report. */
  report(): RelayReport {
    return this.#report
  }

  /** Adds an event. Returns whether it completes a report. */
  add({ programs, program, target, subscriber, source, pmt, sample, group, ages, transport }: ReportEvent): boolean {
    if (pmt !== undefined) this.#pmt = Buffer.from(pmt, 'hex')
    if (sample) this.#samples.push([sample[0], Buffer.from(sample[1], 'hex')])
    if (group) this.#group = group
    if (ages) this.#ages = new Map(ages.map(([pid, age]) => [pid, age < 0 ? undefined : age]))
    if (transport) this.#addTransport(transport)
    if (programs !== undefined) this.#programs = []
    if (program) this.#programs.push({ number: program[0], streams: program.slice(1) })
    if (target) this.#addTarget(target)
    if (subscriber) {
      const [id, sentBytes, queuedBytes, droppedBytes, nullPacketBytes] = subscriber
      this.#subscribers.set(id, { sentBytes, queuedBytes, droppedBytes, nullPacketBytes })
    }
    if (!source) return false
    const [bytes, packets, gaps, lost, invalidBytes, isCarrying, starts, revision, seams] = source
    const counters = { bytes, packets, gaps, lost, invalidBytes, starts, revision, seams }
    this.#report = {
      source: {
        ...counters,
        isCarrying: isCarrying === 1,
        programs: this.#programs,
        ages: this.#ages,
        transport: this.#transport,
        format: this.#takeFormat()
      },
      targets: this.#targets,
      subscribers: this.#subscribers
    }
    this.#targets = new Map()
    this.#subscribers = new Map()
    return true
  }

  #takeFormat(): RelaySource['format'] {
    const format = {
      ...(this.#pmt && { pmt: this.#pmt }),
      samples: this.#samples,
      ...(this.#group && { group: this.#group })
    }
    this.#pmt = undefined
    this.#samples = []
    this.#group = undefined
    return format
  }

  #addTransport({ errors, jitter }: NonNullable<ReportEvent['transport']>): void {
    const now = Date.now()
    const before = this.#transport.errors
    const isChanged = errors.some(([count], index) => count !== (before[index]?.count ?? 0))
    this.#transport = {
      errors: isChanged ? errors.map(([count, age]) => ({ count, at: now - age })) : before,
      ...(jitter >= 0 && { pcrJitterMs: jitter / 1000 })
    } satisfies TransportCounts
  }

  #addTarget([id, bytes, packets, droppedBytes, refusalAge, error]: NonNullable<ReportEvent['target']>): void {
    const refusedAt = refusalAge < 0 ? undefined : performance.now() - refusalAge
    this.#targets.set(id, {
      bytes,
      packets,
      droppedBytes,
      ...(refusedAt !== undefined && { refusedAt }),
      ...(error > 0 && { error: getSystemErrorName(-error) })
    })
  }
}
