// A receiver of SNMP notifications: snmptrapd of Net-SNMP, with the MIB of the hub.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freeUdpPort } from '../../net/free-port.ts'
import { until } from '../../until.ts'
import { ReceiverProcess } from './receiver-process.ts'

const PROJECT = resolve(import.meta.dirname, '../../../..')
/** The MIB of the hub, and the modules of RFCs that it imports, which Debian does not have. */
const MIB_FOLDERS = ['hub/alerts', 'node_modules/net-snmp/lib/mibs'].map((path) => join(PROJECT, path)).join(':')

/** SNMPv2-MIB has the names of the first objects of each notification. */
const MIBS = 'HEADEND-MIB:SNMPv2-MIB'

export interface TrapReceiver {
  port: number
  /** Names and values of the objects of each notification that was received. */
  received(): Record<string, string>[]
  /** Waits until so many notifications were received. */
  whenReceived(count: number): Promise<Record<string, string>[]>
  close(): Promise<void>
}

/** @param settings lines of snmptrapd.conf: who may send what */
export async function startTrapReceiver(settings: readonly string[]): Promise<TrapReceiver> {
  const folder = mkdtempSync(join(tmpdir(), 'headend-traps-'))
  const path = (name: string) => join(folder, name)
  mkdirSync(path('state'))
  writeFileSync(path('conf'), [...settings, 'format2 [%v]\\n', ''].join('\n'))
  const port = await freeUdpPort()
  const receiver = await ReceiverProcess.start(
    '/usr/sbin/snmptrapd',
    [
      ...['-f', '-Lo', '-n', '-C', '-c', path('conf'), '-p', path('pid'), '-M', MIB_FOLDERS, '-m', MIBS],
      `udp:127.0.0.1:${port}`
    ],
    /NET-SNMP version/,
    { SNMP_PERSISTENT_DIR: path('state'), SNMPCONFPATH: folder }
  )
  const received = () =>
    [...receiver.output.matchAll(/^\[([\s\S]*?)\]$/gm)].map(([, objects = '']) =>
      Object.fromEntries(
        objects.split('\t').map((object) => {
          const [, name = '', value = ''] =
            /^(?:.*::)?(\S+?)(?:\.0)? = (?:[A-Za-z0-9]+: )?([\s\S]*)$/.exec(object) ?? []
          return [name, value]
        })
      )
    )
  return {
    port,
    received,
    async whenReceived(count) {
      await until(
        () => received().length >= count,
        () => `${count} notifications are received: ${receiver.output}`
      )
      return received()
    },
    async close() {
      await receiver.stop()
      rmSync(folder, { recursive: true })
    }
  }
}

/**
 * Asks snmptranslate, which reads the MIB of the hub with all warnings.
 * @returns its output, and its warnings about this MIB
 */
export function translateOid(...args: string[]): { output: string; complaints: string[] } {
  const state = mkdtempSync(join(tmpdir(), 'headend-mib-'))
  const { stdout, stderr } = spawnSync('snmptranslate', ['-PW', '-M', MIB_FOLDERS, '-m', 'HEADEND-MIB', ...args], {
    encoding: 'utf8',
    env: { ...process.env, SNMP_PERSISTENT_DIR: state, SNMPCONFPATH: state }
  })
  rmSync(state, { recursive: true })
  return {
    output: stdout.trim(),
    complaints: stderr.split('\n').filter((line) => /HEADEND-MIB|Cannot|Undefined|Unlinked/.test(line))
  }
}
