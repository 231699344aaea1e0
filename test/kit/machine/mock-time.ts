// systemd-timedated and systemd-hostnamed of python-dbusmock: the real ones would set the clock, which all test
// machines share.
import type { ChildProcess } from 'node:child_process'
import type { TestMachine } from './machine.ts'

const TIMEDATED = 'org.freedesktop.timedate1'
const HOSTNAMED = 'org.freedesktop.hostname1'
const HOSTNAMED_OBJECT = '/org/freedesktop/hostname1'
const MOCK = 'org.freedesktop.DBus.Mock'

export class MockTimeServices {
  readonly #machine: TestMachine
  /** Calls that the mocks have received, one a line, with their arguments. */
  log = ''

  constructor(machine: TestMachine) {
    this.#machine = machine
  }

  async start(): Promise<void> {
    const mock = ['/usr/bin/python3', '-m', 'dbusmock', '--system']
    this.#collect(this.#machine.start([...mock, '--template', 'timedated']))
    this.#collect(this.#machine.start([...mock, HOSTNAMED, HOSTNAMED_OBJECT, HOSTNAMED]))
    for (const name of [TIMEDATED, HOSTNAMED]) await this.#machine.waitForBusName(name)
    await this.answerHostNames('')
  }

  /** Lets hostnamed answer with the outcome of a line of Python. */
  async answerHostNames(code: string): Promise<void> {
    const call = ['busctl', '--system', 'call', HOSTNAMED, HOSTNAMED_OBJECT, MOCK, 'AddMethod', 'sssss']
    await this.#machine.run([...call, HOSTNAMED, 'SetStaticHostname', 'sb', '', code])
  }

  #collect(child: ChildProcess): void {
    child.stdout?.on('data', (chunk) => {
      this.log += chunk
    })
  }
}
