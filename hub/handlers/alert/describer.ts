// Describes problems for notifications, as an administrator of the hub sees them.
import { createHash } from 'node:crypto'
import { ALL_PERMISSIONS, GROUP_ADMIN } from '../../../contract/access/permissions.ts'
import type { Problem } from '../../../contract/problem.ts'
import type { HostAllowList } from '../../../web-server/host-allow-list.ts'
import type { Describer } from '../../alerts/message-text.ts'
import type { Caller } from '../../auth/caller.ts'
import type { FoundProblem } from '../../health/problem-monitor.ts'
import { machineFingerprint } from '../../license/machine.ts'
import { readTimeZone } from '../../machine/time/time.ts'
import type { Language } from '../../messages/language.ts'
import { hubName } from '../machine/name.ts'
import { type ProblemParts, ProblemView } from '../problem.ts'

export interface DescriberParts extends ProblemParts {
  hosts: HostAllowList
}

/** Milliseconds between reads of the time zone, which an administrator can change. */
const ZONE_INTERVAL = 60_000

/** The group Admin configures notifications, so messages contain what an administrator may see. */
const VIEWER: Caller = {
  user: { name: 'hub', id: 0, 'group-name': '', permission: ALL_PERMISSIONS, type: GROUP_ADMIN },
  groupId: GROUP_ADMIN,
  isGuest: false,
  session: '',
  byToken: false,
  scopes: undefined,
  address: '',
  authenticatedAt: 0,
  defaultPassword: false,
  mustChangePassword: false,
  mustEnroll: false,
  display: undefined,
  isRestricted: false
}

export class ProblemDescriber implements Describer {
  readonly #parts: DescriberParts
  readonly #timer: NodeJS.Timeout
  /** Serial number of the hub, the same after each start. */
  readonly #sn = createHash('sha256').update(machineFingerprint()).digest('hex').slice(0, 16)
  #zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  /** The descriptions of a list of problems, by language. */
  readonly #described = new WeakMap<readonly FoundProblem[], Map<Language, ReadonlyMap<string, Problem>>>()

  constructor(parts: DescriberParts) {
    this.#parts = parts
    this.#timer = setInterval(() => this.#readZone(), ZONE_INTERVAL).unref()
    this.#readZone()
  }

  hub() {
    return { name: hubName(this.#parts), sn: this.#sn }
  }

  problems(language: Language, found: readonly FoundProblem[]): ReadonlyMap<string, Problem> {
    const byLanguage = this.#described.get(found) ?? new Map<Language, ReadonlyMap<string, Problem>>()
    const list = () => new ProblemView(this.#parts, { caller: VIEWER, language }).list()
    const problems = byLanguage.get(language) ?? new Map(list().map((problem) => [problem.id, problem]))
    byLanguage.set(language, problems)
    this.#described.set(found, byLanguage)
    return problems
  }

  nameOf(problem: string): string {
    const { channels, sources, devices } = this.#parts.store
    const [, channel, output] = /^(?:channel|output)-(\d+)(?:-(\d+))?$/.exec(problem) ?? []
    const [, sn] = /^device-(.+)$/.exec(problem) ?? []
    if (sn !== undefined) return devices.bySerial(sn)?.name || sn
    const port = output === undefined ? undefined : (sources.output(Number(output)) ?? devices.byId(Number(output)))
    const names = [channel === undefined ? undefined : channels.byId(Number(channel))?.name, port?.name]
    return names.filter(Boolean).join(', ')
  }

  readonly zone = (): string => this.#zone

  close(): void {
    clearInterval(this.#timer)
  }

  #readZone(): void {
    void readTimeZone().then((zone) => {
      this.#zone = zone
    })
  }
}
