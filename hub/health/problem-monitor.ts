// Everything that is wrong now, the same for every caller. Checked once a second; what changed is stored and announced.
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { offlineCause } from '../../contract/device/device-health.ts'
import type { Health, HubVerdict } from '../../contract/health.ts'
import { CAUSES } from '../../contract/health-causes.ts'
import { listedParts, type Problem } from '../../contract/problem.ts'
import type { Assessment } from '../../contract/stream/channel-health.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import { CERTIFICATE_WARNING_DAYS } from '../../contract/web/certificate.ts'
import type { EngineClient } from '../../engine/interfaces/engine-client.ts'
import type { Certificates } from '../../tls/certificates.ts'
import type { AddressedDevices } from '../devices/address/addressed-devices.ts'
import type { Registry } from '../devices/registry.ts'
import { Emitter } from '../emitter.ts'
import type { Monitor } from '../machine/monitor.ts'
import type { StartTime } from '../machine/start-time.ts'
import type { StoredProblem } from '../store/problems.ts'
import type { Store } from '../store/store.ts'
import type { ChannelHealthMonitor } from './channel-health.ts'

const CHECK_INTERVAL = 1000
/** Milliseconds before its end from which a certificate is a problem. The hub renews its own one before that. */
const WARNING_TIME = CERTIFICATE_WARNING_DAYS * 86_400_000
/** Milliseconds after the start of the hub within which devices and the engine connect again. */
const SETTLE_TIME = 15_000
/** MB and share of free space below which a disk is almost full. */
const LOW_DISK_MB = 2048
const LOW_DISK_SHARE = 0.05

/** A problem without the words and names, which depend on the caller. */
export type FoundProblem = Omit<Problem, 'message' | 'ack'>

/** A problem before it is known since when it lasts. */
type Finding = Omit<FoundProblem, 'since'> & { since?: number | undefined }

interface ProblemMonitorOptions {
  store: Pick<Store, 'database' | 'problems' | 'devices' | 'channels' | 'rollouts' | 'changes' | 'settings'>
  registry: Pick<Registry, 'liveState'>
  addressedDevices: Pick<AddressedDevices, 'addressInfo'>
  engine: Pick<EngineClient, 'isAway' | 'observePorts' | 'usage'>
  monitor: Pick<Monitor, 'reading'>
  channelHealth: ChannelHealthMonitor
  /** Whether HTTPS is enabled; its port, and that for HLS and downloads. */
  webPorts: { isHttpsEnabled(): boolean; ports: Record<'https' | 'files', { observe(): { reason?: Reason } }> }
  certificates: Pick<Certificates, 'remaining' | 'isDamaged'>
  startTime: Readonly<StartTime>
  recordings: {
    /** The channels that are to be recorded and are not. */
    faults(): { channel: number }[]
    /** Whether the disk does not suffice for what is being recorded. */
    isSpaceShort: boolean
  }
  now?: () => number
}

export class ProblemMonitor {
  /**
   * All problems, once a second. After the start of the hub, as long as `isSettling`, some that are not there yet may
   * come back.
   */
  readonly checked = new Emitter<[problems: readonly FoundProblem[], isSettling: boolean]>()
  readonly #options: ProblemMonitorOptions
  readonly #now: () => number
  /** When each problem was found, for those that do not tell it themselves. */
  readonly #foundAt = new Map<string, number>()
  #text = ''
  #timer: NodeJS.Timeout | undefined

  constructor(options: ProblemMonitorOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    for (const [id, { since }] of options.store.problems.all()) this.#foundAt.set(id, since)
  }

  /** Begins to check, once the channels that the hub found are applied. */
  start(): void {
    const { channelHealth } = this.#options
    channelHealth.start()
    this.#timer = setInterval(() => {
      channelHealth.tick()
      this.refresh()
    }, CHECK_INTERVAL).unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** All problems: worst first, of equal ones the newest first. */
  list(): FoundProblem[] {
    return this.#byUrgency([
      ...this.#hubFindings(),
      ...this.#channelFindings(),
      ...this.#recordingFindings(),
      ...this.#deviceFindings()
    ])
  }

  #byUrgency(findings: readonly Finding[]): FoundProblem[] {
    const now = this.#now()
    const found = findings.map((finding) => {
      const since = finding.since ?? this.#foundAt.get(finding.id) ?? now
      this.#foundAt.set(finding.id, since)
      return { ...finding, since }
    })
    return found.sort((a, b) => (a.severity === b.severity ? b.since - a.since : a.severity === 'bad' ? -1 : 1))
  }

  /** The verdict on the hub itself. */
  hubHealth(): Health<HubVerdict> {
    const [worst] = this.#byUrgency(this.#hubFindings())
    if (!worst) return { verdict: 'online' }
    const { since, reason, 'next-step': step } = worst
    return { verdict: 'warning', since, reason, ...(step && { 'next-step': step }) }
  }

  /** Stores and announces what changed. */
  refresh(): void {
    const list = this.list()
    this.#storeChanged(list)
    this.checked.emit(list, this.#isSettling())
  }

  #storeChanged(list: readonly FoundProblem[]): void {
    const { store } = this.#options
    const text = JSON.stringify(list)
    if (text === this.#text) return
    this.#text = text
    store.changes.markChanged('problem')
    store.changes.markChanged('status')
    store.database.runBatched(() => this.#storeChanges(list))
  }

  /** IDs of the stored problems, and whether each is acknowledged. */
  stored(): ReadonlyMap<string, StoredProblem> {
    return this.#options.store.problems.all()
  }

  #storeChanges(list: readonly FoundProblem[]): void {
    const { problems } = this.#options.store
    const current = new Set(list.map(({ id }) => id))
    const stored = problems.all()
    // The device itself tells since when it is offline.
    for (const { id, kind, since } of list) if (kind !== 'device' && !stored.has(id)) problems.add(id, since)
    if (this.#isSettling()) return
    for (const id of stored.keys()) if (!current.has(id)) problems.remove(id)
    for (const id of this.#foundAt.keys()) if (!current.has(id)) this.#foundAt.delete(id)
  }

  #isSettling(): boolean {
    return this.#now() - this.#options.startTime.at < SETTLE_TIME
  }

  #hubFindings(): Finding[] {
    const { engine, monitor, store, webPorts, channelHealth, recordings } = this.#options
    const findings: Finding[] = []
    if (engine.isAway()) findings.push({ id: 'engine', kind: 'engine', severity: 'bad', ...because('engine-away') })
    const fault = store.database.storageFault
    const { total = 0, free = 0 } = monitor.reading()['disk-info'] ?? {}
    if (fault && fault !== 'full')
      findings.push({ id: 'disk', kind: 'disk', severity: 'bad', ...because('storage-fault') })
    else if (fault || (total > 0 && free < LOW_DISK_MB && free / total < LOW_DISK_SHARE))
      findings.push({ id: 'disk', kind: 'disk', severity: fault ? 'bad' : 'warn', ...because('disk-full') })
    if (recordings.isSpaceShort)
      findings.push({ id: 'recording-space', kind: 'disk', severity: 'warn', ...because('disk-full') })
    const machine = { kind: 'machine', severity: 'warn' } as const
    if (channelHealth.isHubBusy()) findings.push({ ...machine, id: 'processor', ...because('hub-busy') })
    if (engine.usage()?.checksInTurns) findings.push({ ...machine, id: 'checks', ...because('checks-slowed') })
    if (monitor.reading().lowMemory) findings.push({ ...machine, id: 'memory', ...because('memory-low') })
    const closed = { kind: 'port', ...because('port-closed') } as const
    for (const [name, { reason }] of Object.entries(engine.observePorts()))
      if (reason !== undefined)
        findings.push({ ...closed, id: `port-${name}`, severity: 'bad', name: name.toUpperCase() })
    // The web server serves the same files, so nothing has stopped.
    if (webPorts.ports.files.observe().reason !== undefined)
      findings.push({ ...closed, id: 'port-files', severity: 'warn', name: 'HLS' })
    return [...findings, ...this.#httpsFindings(), ...this.#backupFindings()]
  }

  /** Without a schedule the administrator who makes a backup sees its result. */
  #backupFindings(): Finding[] {
    const { settings } = this.#options.store
    if (!settings.get('backup').enable || !settings.get('backup-result')?.fault) return []
    return [{ id: 'backup', kind: 'backup', severity: 'warn', ...because('backup-failed') }]
  }

  /** HTTP still answers, so nothing has stopped. */
  #httpsFindings(): Finding[] {
    const { webPorts, certificates } = this.#options
    if (!webPorts.isHttpsEnabled()) return []
    if (webPorts.ports.https.observe().reason !== undefined)
      return [{ id: 'port-https', kind: 'port', severity: 'warn', name: 'HTTPS', ...because('port-closed') }]
    const remaining = certificates.remaining() ?? Number.POSITIVE_INFINITY
    const certificate = { id: 'certificate', kind: 'certificate' } as const
    if (certificates.isDamaged()) return [{ ...certificate, severity: 'warn', ...because('certificate-damaged') }]
    if (remaining <= 0) return [{ ...certificate, severity: 'bad', ...because('certificate-expired') }]
    if (remaining < WARNING_TIME) return [{ ...certificate, severity: 'warn', ...because('certificate-expiring') }]
    return []
  }

  #channelFindings(): Finding[] {
    const { channelHealth } = this.#options
    return channelHealth.ids().flatMap((id) => {
      const channel = channelHealth.assess(id)
      if (!channel) return []
      const { assessment, since } = channel
      const listed = listedParts(assessment, [...channel.outputs], ([, output]) => output.assessment.verdict)
      const severity = assessment.verdict === 'down' ? 'bad' : 'warn'
      const own = finding({ id: `channel-${id}`, kind: 'channel', severity, since }, assessment)
      const outputs = listed.outputs.map(([output, leg]) => ({
        ...finding(
          { id: `output-${id}-${output}`, kind: 'output', severity: 'warn', since: leg.since },
          leg.assessment
        ),
        channel: id,
        output
      }))
      return listed.channel ? [{ ...own, channel: id }, ...outputs] : outputs
    })
  }

  /** The channel itself is on air. */
  #recordingFindings(): Finding[] {
    return this.#options.recordings.faults().map(({ channel }) => ({
      id: `recording-${channel}`,
      kind: 'channel',
      severity: 'warn',
      channel,
      ...because('recording-failed')
    }))
  }

  #deviceFindings(): Finding[] {
    const { store, registry, addressedDevices, startTime } = this.#options
    const updating = store.rollouts.updatingDevices()
    const findings: Finding[] = []
    for (const { sn, reg_state: registration, offline_date: offlineSince } of store.devices.all()) {
      if (registration !== REGISTRATION_STATE.accepted || updating.has(sn)) continue
      const live = registry.liveState(sn)
      const device = { id: `device-${sn}`, kind: 'device' as const, sn }
      // A device that was online when the hub stopped has some time to come back.
      if (!live && !(this.#isSettling() && offlineSince >= startTime.at - SETTLE_TIME))
        findings.push({
          ...device,
          severity: 'bad',
          ...offlineCause(addressedDevices.addressInfo(sn)?.trouble),
          since: offlineSince || undefined
        })
      else if (live?.observation?.warns)
        findings.push({ ...device, severity: 'warn', ...because('device-warning'), since: live.warningSince })
    }
    return findings
  }
}

const because = (reason: Problem['reason']) => {
  const step = CAUSES[reason][1]
  return { reason, ...(step && { 'next-step': step }) }
}

function finding(
  problem: Pick<Finding, 'id' | 'kind' | 'severity' | 'since'>,
  { verdict: _, reason = 'failed', ...rest }: Assessment
): Finding {
  return { ...problem, reason, ...rest }
}
