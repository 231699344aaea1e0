// The setup code: on a hub that manages its machine, whoever signs in from another machine with the default password
// has to read it on the console of the machine or in its journal. Otherwise the first visitor would own a hub that was
// just started or reset.
import { timingSafeEqual } from 'node:crypto'
import { generateCode, hashCode } from '../../accounts/one-time-code.ts'
import { isLocalRequest } from '../../web-server/host-header.ts'
import type { Changes } from '../store/changes.ts'
import type { UserRow, Users } from '../store/users.ts'

/** Groups of a code, which then has 40 bits; guesses are limited like those of a second factor. */
const GROUPS = 2

/** Shows the code to whoever has access to the machine; undefined: none is needed any more. */
export type AnnounceSetupCode = (code: string | undefined) => void

export class SetupCode {
  readonly #users: Pick<Users, 'all'>
  readonly #announce: AnnounceSetupCode | undefined
  readonly #unsubscribe: () => void
  #code: string | undefined

  /** @param announce undefined: no code is asked for */
  constructor(users: Pick<Users, 'all'>, changes: Changes, announce: AnnounceSetupCode | undefined) {
    this.#users = users
    this.#announce = announce
    this.#unsubscribe = changes.subscribe((topic) => topic === 'user' && this.#update())
    this.#update()
  }

  /** Whether a user whose password is right needs the code, too. */
  isRequired(row: UserRow, address: string, host: string | null): boolean {
    return this.#announce !== undefined && row.is_default_password === 1 && !isLocalRequest(address, host)
  }

  matches(typed: string): boolean {
    return this.#code !== undefined && timingSafeEqual(digest(this.#code), digest(typed))
  }

  close(): void {
    this.#unsubscribe()
    if (this.#code !== undefined) this.#announce?.(undefined)
  }

  #update(): void {
    const isNeeded = this.#users.all().some((row) => row.is_default_password === 1)
    if (!this.#announce || isNeeded === (this.#code !== undefined)) return
    this.#code = isNeeded ? generateCode(GROUPS) : undefined
    this.#announce(this.#code)
  }
}

const digest = (code: string) => Buffer.from(hashCode(code))
