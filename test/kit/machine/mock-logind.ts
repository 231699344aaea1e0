// systemd-logind of python-dbusmock: it answers as the real one, and restarts nothing.
import type { TestMachine } from './machine.ts'

const NAME = 'org.freedesktop.login1'
const ROOT = '/org/freedesktop/login1'
const MOCK = 'org.freedesktop.DBus.Mock'
/** `ListInhibitors` without entries, in Python. */
const NO_INHIBITORS = 'ret = dbus.Array([], signature="(ssssuu)")'

export class MockLogind {
  readonly #machine: TestMachine
  /** Calls that the mock has received, one a line, with their arguments. */
  log = ''

  constructor(machine: TestMachine) {
    this.#machine = machine
  }

  async start(): Promise<void> {
    const child = this.#machine.start(['/usr/bin/python3', '-m', 'dbusmock', '--system', '--template', 'logind'])
    child.stdout?.on('data', (chunk) => {
      this.log += chunk
    })
    await this.#machine.waitForBusName(NAME)
    await this.inhibit()
  }

  /** Whether a method was called, such as `Reboot True`. */
  wasCalled(call: string): boolean {
    return this.log.includes(` ${call}\n`)
  }

  /** Sets the answer of a method, as an expression in Python. */
  async #answer(member: string, signature: string, code: string): Promise<void> {
    const values = [`${NAME}.Manager`, member, '', signature, code]
    await this.#machine.run(['busctl', '--system', 'call', NAME, ROOT, MOCK, 'AddMethod', 'sssss', ...values])
  }

  /** @param answer `yes`, `no`, `challenge` or `na` */
  setCanReboot(answer: string): Promise<void> {
    return this.#answer('CanReboot', 's', `ret = "${answer}"`)
  }

  /** Sets the programs that hold up a shutdown. */
  inhibit(...inhibitors: readonly (readonly [what: string, who: string, why: string, mode: string])[]): Promise<void> {
    const rows = inhibitors.map(
      (row) => `(${row.map((text) => `"${text}"`).join(', ')}, dbus.UInt32(0), dbus.UInt32(1))`
    )
    const code = rows.length === 0 ? NO_INHIBITORS : `ret = [${rows.join(', ')}]`
    return this.#answer('ListInhibitors', 'a(ssssuu)', code)
  }
}
