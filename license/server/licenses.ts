// The licences of a licence server: a JSON file, replaced as a whole with each change.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { LICENSE_PERMISSION, LICENSE_STATE, type LicenseLimits } from '../../contract/license/license.ts'
import type { LicenseStatement } from '../statement.ts'

/** A licence that was sold, and the machine that has activated it. */
export interface SoldLicense {
  title: string
  sn: string
  /** `LICENSE_PERMISSION` bits. */
  permissions: number
  limits: LicenseLimits
  /** Milliseconds since the epoch; 0 = never. */
  expires: number
  'support-end': number
  disabled: boolean
  /** Machine fingerprint; empty while it is not activated. */
  machine: string
}

/** Answer to a hub: a state, and the statement if the licence is valid. */
export interface LicenseAnswer {
  state: number
  license?: LicenseStatement
}

export class Licenses {
  readonly #path: string
  readonly #now: () => number

  constructor(path: string, now: () => number = Date.now) {
    this.#path = path
    this.#now = now
  }

  all(): SoldLicense[] {
    return existsSync(this.#path) ? JSON.parse(readFileSync(this.#path, 'utf8')) : []
  }

  /** Adds a licence, or replaces the one with the same serial number. */
  put(license: SoldLicense): void {
    this.#write([...this.all().filter(({ sn }) => sn !== license.sn), license])
  }

  /** Changes a licence. @throws Error if there is none with this serial number */
  change(sn: string, changes: Partial<SoldLicense>): void {
    const license = this.all().find((each) => each.sn === sn)
    if (!license) throw new Error(`There is no licence ${sn}`)
    this.put({ ...license, ...changes })
  }

  /** Activates a licence for a machine, which has it until it is deactivated. */
  activate(title: string, sn: string, machine: string): LicenseAnswer {
    const isFree = this.all().some((each) => each.sn === sn && each.title === title && each.machine === '')
    const { state } = this.check(title, sn, machine)
    if (isFree && state === LICENSE_STATE.notExist) this.change(sn, { machine })
    return this.check(title, sn, machine)
  }

  /**
   * Signs off a machine, and frees the licence if it may be moved to another machine. A licence that may not stays with
   * this machine, which can activate it again.
   */
  deactivate(title: string, sn: string, machine: string): LicenseAnswer {
    const { state } = this.check(title, sn, machine)
    if (state !== LICENSE_STATE.valid && state !== LICENSE_STATE.expired) return { state }
    const { permissions = 0 } = this.all().find((each) => each.sn === sn) ?? {}
    if ((permissions & LICENSE_PERMISSION.transfer) !== 0) this.change(sn, { machine: '' })
    return { state: LICENSE_STATE.valid }
  }

  /** The state of a licence for a machine. A licence that no machine has activated does not exist for it. */
  check(title: string, sn: string, machine: string): LicenseAnswer {
    const license = this.all().find((each) => each.sn === sn && each.title === title)
    if (!license) return { state: LICENSE_STATE.notExist }
    if (license.disabled) return { state: LICENSE_STATE.disabled }
    if (license.machine !== '' && license.machine !== machine) return { state: LICENSE_STATE.occupied }
    if (license.expires !== 0 && license.expires <= this.#now()) return { state: LICENSE_STATE.expired }
    if (license.machine === '') return { state: LICENSE_STATE.notExist }
    return { state: LICENSE_STATE.valid, license: this.statementOf(license, machine) }
  }

  /**
   * Prepares the statement of a licence file.
   * @throws Error if the licence does not exist, is disabled or expired, belongs to another machine, or may not come
   * from a file
   */
  issue(sn: string, machine: string): LicenseStatement {
    const license = this.all().find((each) => each.sn === sn)
    if (!license) throw new Error(`There is no licence ${sn}`)
    if (license.disabled) throw new Error(`The licence ${sn} is disabled`)
    if (license.expires !== 0 && license.expires <= this.#now()) throw new Error(`The licence ${sn} has expired`)
    if (license.machine !== '' && license.machine !== machine)
      throw new Error(`Another machine has activated the licence ${sn}: release it first`)
    if ((license.permissions & LICENSE_PERMISSION.file) === 0)
      throw new Error(`The licence ${sn} may not be installed from a file`)
    this.change(sn, { machine })
    return this.statementOf(license, machine)
  }

  statementOf(
    { title, sn, permissions, limits, expires, 'support-end': supportEnd }: SoldLicense,
    machine: string
  ): LicenseStatement {
    return { title, sn, machine, permissions, limits, issued: this.#now(), expires, 'support-end': supportEnd }
  }

  #write(licenses: readonly SoldLicense[]): void {
    const temporary = `${this.#path}.new`
    writeFileSync(temporary, `${JSON.stringify(licenses, null, 2)}\n`, { mode: 0o600, flush: true })
    renameSync(temporary, this.#path)
  }
}
