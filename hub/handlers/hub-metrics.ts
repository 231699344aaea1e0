// Metrics of the hub in the OpenMetrics format, for Prometheus and others: the process, the machine, devices by state,
// and every leg of every channel. They are measured when they are read.
import { collectDefaultMetrics, Gauge, Registry as MetricRegistry } from 'prom-client'
import { CHANNEL_VERDICTS } from '../../contract/health.ts'
import type { LegReport } from '../../contract/stream/channel-history.ts'
import { CONNECTION_STATE } from '../../contract/stream/protocols.ts'
import { TRANSPORT_ERRORS } from '../../contract/stream/transport.ts'
import type { ObservedLeg } from '../../engine/interfaces/channel.ts'
import type { EngineClient } from '../../engine/interfaces/engine-client.ts'
import type { Gate } from '../auth/gate.ts'
import type { Registry } from '../devices/registry.ts'
import type { ChannelHealthMonitor } from '../health/channel-health.ts'
import type { Monitor } from '../machine/monitor.ts'
import type { StartTime } from '../machine/start-time.ts'
import type { Recordings } from '../recordings/recordings.ts'
import type { Store } from '../store/store.ts'

export interface MetricsParts {
  store: Store
  gate: Gate
  registry: Registry
  engine: EngineClient
  channelHealth: ChannelHealthMonitor
  monitor: Monitor
  version: string
  startTime: StartTime
  recordings: Recordings
}

const PREFIX = 'headend_'
const MIB = 2 ** 20

/**
 * `leg` is `input`, `backup` or `output`; `id` is the ID of a source, output or device. Names can be long and change,
 * so only channels have one.
 */
const LEG_LABELS = ['channel', 'name', 'leg', 'id'] as const

/** Name, help and value of each metric of a leg. */
const LEG_METRICS: readonly [name: string, help: string, value: (report: LegReport) => number | undefined][] = [
  ['leg_bytes', 'Bytes of media since the baseline', (report) => report.bytes],
  ['leg_packets_lost', 'Packets lost before retransmission, since the baseline', (report) => report['pkt-loss-total']],
  ['leg_packets_dropped', 'Packets that came too late, since the baseline', (report) => report['pkt-drop-total']],
  ['leg_packets_retransmitted', 'Packets sent again, since the baseline', (report) => report['pkt-retrans-total']],
  [
    'leg_continuity_errors',
    'Gaps in continuity counters, since the baseline',
    (report) => report['ts-cc-errors-total']
  ],
  ['leg_rtt_milliseconds', 'Round-trip time', (report) => report['rtt-ms']],
  [
    'leg_pcr_jitter_milliseconds',
    'Jitter of the clock references against their arrival in the last second, with that of the network',
    (report) => report.transport?.['pcr-jitter-ms']
  ]
]

type LegLabels = Record<(typeof LEG_LABELS)[number], string>

export class HubMetrics {
  readonly registry = new MetricRegistry<typeof MetricRegistry.OPENMETRICS_CONTENT_TYPE>()
  readonly #parts: MetricsParts

  constructor(parts: MetricsParts) {
    this.#parts = parts
    this.registry.setContentType(MetricRegistry.OPENMETRICS_CONTENT_TYPE)
    collectDefaultMetrics({ register: this.registry as never, prefix: PREFIX })
    this.#addHub()
    this.#addEngine()
    this.#addDevices()
    this.#addChannels()
    this.#addRecordings()
  }

  /** @param collect sets the values when the metrics are read */
  #addGauge<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    collect: (gauge: Gauge<Label>) => void
  ): void {
    new Gauge({
      name: `${PREFIX}${name}`,
      help,
      labelNames,
      registers: [this.registry as never],
      collect() {
        this.reset()
        collect(this as never)
      }
    })
  }

  #addHub(): void {
    const { version, startTime, monitor } = this.#parts
    this.#addGauge('info', 'Software version of the hub', ['version'], (gauge) => gauge.set({ version }, 1))
    this.#addGauge('start_time_seconds', 'Start of the hub, seconds since the epoch', [], (gauge) =>
      gauge.set(startTime.at / 1000)
    )
    this.#addGauge('disk_bytes', 'Size of the file system with the data folder', ['kind'], (gauge) => {
      const disk = monitor.reading()['disk-info']
      if (!disk) return
      gauge.set({ kind: 'total' }, disk.total * MIB)
      gauge.set({ kind: 'free' }, disk.free * MIB)
    })
    this.#addGauge('machine_cpu_percent', 'Load of all processors', [], (gauge) => {
      const { cpu } = monitor.reading()
      if (cpu !== undefined) gauge.set(cpu)
    })
    this.#addGauge('machine_temperature_celsius', 'Temperature of the machine', [], (gauge) => {
      const { temperature } = monitor.reading()
      if (temperature !== undefined) gauge.set(temperature)
    })
  }

  #addEngine(): void {
    const { engine } = this.#parts
    this.#addGauge('engine_up', 'Whether the hub is connected with the stream engine', [], (gauge) =>
      gauge.set(engine.isAway() ? 0 : 1)
    )
    this.#addGauge('engine_cpu_seconds', "Processor time of the engine's own process", [], (gauge) => {
      const usage = engine.usage()
      if (usage) gauge.set(usage.cpuSeconds)
    })
    this.#addGauge('engine_resident_memory_bytes', "Memory of the engine's own process", [], (gauge) => {
      const usage = engine.usage()
      if (usage) gauge.set(usage.residentBytes)
    })
    this.#addGauge('engine_processes', 'Processes of legs', [], (gauge) => gauge.set(engine.processCount()))
  }

  #addDevices(): void {
    this.#addGauge('devices', 'Devices by state; online and warning are parts of accepted', ['state'], (gauge) => {
      const counts = this.#parts.registry.countDevices()
      gauge.set({ state: 'accepted' }, counts['num-all'])
      gauge.set({ state: 'online' }, counts['num-online'])
      gauge.set({ state: 'warning' }, counts['num-warn'])
      gauge.set({ state: 'offline' }, counts['num-all'] - counts['num-online'])
      gauge.set({ state: 'pending' }, counts['num-pending'])
      gauge.set({ state: 'rejected' }, counts['num-rejected'])
    })
  }

  #addChannels(): void {
    this.#addGauge('channel_enabled', 'Whether a channel is switched on', ['channel', 'name'], (gauge) => {
      for (const { id, name, enable } of this.#parts.store.channels.all())
        gauge.set({ channel: String(id), name }, enable)
    })
    this.#addGauge('channels', 'Channels by verdict', ['verdict'], (gauge) => {
      for (const verdict of CHANNEL_VERDICTS) gauge.set({ verdict }, 0)
      for (const { id } of this.#parts.store.channels.all()) {
        const verdict = this.#parts.channelHealth.assess(id)?.assessment.verdict
        if (verdict) gauge.inc({ verdict })
      }
    })
    this.#addGauge('leg_connected', 'Whether media passed in the last 3 seconds', LEG_LABELS, (gauge) =>
      this.#eachLeg((labels, leg) => gauge.set(labels, leg.connState === CONNECTION_STATE.connected ? 1 : 0))
    )
    this.#addGauge('leg_kbps', 'Bit rate of the last 2 seconds in kbit/s', LEG_LABELS, (gauge) =>
      this.#eachLeg((labels, leg) => gauge.set(labels, leg.kbps))
    )
    for (const [name, help, value] of LEG_METRICS)
      this.#addGauge(name, help, LEG_LABELS, (gauge) =>
        this.#eachLeg((labels, _leg, statsId) => {
          const report = this.#parts.engine.legReport(Number(labels.channel), statsId)
          const measured = report && value(report)
          if (measured !== undefined) gauge.set(labels, measured)
        })
      )
    this.#addTransportErrors()
  }

  #addTransportErrors(): void {
    this.#addGauge(
      'leg_transport_errors',
      'Errors of priority 1 and 2 of ETSI TR 101 290, since the baseline',
      [...LEG_LABELS, 'error'],
      (gauge) =>
        this.#eachLeg((labels, _leg, statsId) => {
          const transport = this.#parts.engine.legReport(Number(labels.channel), statsId)?.transport
          if (!transport) return
          for (const error of TRANSPORT_ERRORS) gauge.set({ ...labels, error }, transport.errors[error]?.count ?? 0)
        })
    )
  }

  #addRecordings(): void {
    const { store, recordings } = this.#parts
    this.#addGauge(
      'recording_fault',
      'Whether a channel is to be recorded and is not',
      ['channel', 'name'],
      (gauge) => {
        const faulty = new Set(recordings.faults().map(({ channel }) => channel))
        for (const { id, name } of store.channels.all())
          if (store.recordings.running(id)) gauge.set({ channel: String(id), name }, faulty.has(id) ? 1 : 0)
      }
    )
    this.#addGauge('recording_bytes', 'Bytes of the recordings of a channel on disk', ['channel', 'name'], (gauge) => {
      for (const { channel, stored } of recordings.all()) {
        const name = store.channels.byId(channel)?.name ?? ''
        gauge.inc({ channel: String(channel), name }, stored?.segments.bytes ?? 0)
      }
    })
    this.#addGauge('recording_free_bytes', 'Free bytes of the disk that recordings may use', [], (gauge) => {
      if (recordings.free !== undefined) gauge.set(recordings.free)
    })
  }

  /** Calls `visit` for each leg of each enabled channel. `statsId` is the ID of the leg for the engine's statistics. */
  #eachLeg(visit: (labels: LegLabels, leg: ObservedLeg, statsId?: number) => void): void {
    const { store, engine } = this.#parts
    for (const { id, name, input_id: inputId, enable } of store.channels.all()) {
      if (!enable) continue
      const { input, backups, outputs } = engine.observe(id)
      const labels = (leg: string, legId: number) => ({ channel: String(id), name, leg, id: String(legId) })
      visit(labels('input', inputId ?? 0), input)
      for (const [backupId, backup] of backups ?? []) visit(labels('backup', backupId), backup, backupId)
      for (const [outputId, output] of outputs) visit(labels('output', outputId), output, outputId)
    }
  }
}
