// The reference licence server and its command line: `node license/server/main.ts COMMAND …` (docs/license.md).
// Environment: LICENSES (./licenses.json), the file of the licences, and LICENSE_KEY, the PEM file of the issuer's
// private Ed25519 key.
//
//   key FILE                       creates a private key in FILE, and prints the public key, which the hubs need (LICENSE_KEYS)
//   add TITLE SN [--LIMIT N] [--days N] [--support-days N] [--server-only] [--one-machine]
//                                  adds a licence or replaces it; LIMIT is channel, live, output, srt or dev, 0 = no limit. With --server-only
//                                  it may not be installed from a file, with --one-machine only `release` frees it for another machine.
//   list                           prints all licences
//   disable SN, enable SN          ends a licence at the next check of its hub, or allows it again
//   release SN                     frees a licence for another machine, for a hub that is lost
//   issue SN MACHINE FILE          writes a licence file for a machine that does not reach the server
//   serve PORT                     answers hubs on 127.0.0.1; TLS is the task of a proxy in front of it
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { FREE_LIMITS, LICENSE_PERMISSION, type LicenseLimits } from '../../contract/license/license.ts'
import { LICENSE_SERIAL_MAX, LICENSE_TITLE_MAX } from '../../contract/limits.ts'
import { licenseSerial } from '../../contract/rules/account.ts'
import { isTitle, MACHINE, signStatement } from '../statement.ts'
import { Licenses, type SoldLicense } from './licenses.ts'
import { createLicenseServer } from './serve.ts'

const DAY = 24 * 60 * 60 * 1000
const LIMIT_OPTIONS = Object.keys(FREE_LIMITS).map((name) => [name, name.slice(4, -6)] as const)

const OPTIONS: Readonly<Record<string, { type: 'string' | 'boolean' }>> = {
  ...Object.fromEntries(
    [...LIMIT_OPTIONS.map(([, option]) => option), 'days', 'support-days'].map((name) => [name, { type: 'string' }])
  ),
  'server-only': { type: 'boolean' },
  'one-machine': { type: 'boolean' }
}

/** Reads the arguments, or ends the program with a message. */
function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options: OPTIONS })
  } catch (error) {
    console.error((error as Error).message)
    process.exit(1)
  }
}

const { positionals, values } = readArguments()
const [command = '', ...args] = positionals
const licenses = new Licenses(process.env.LICENSES ?? './licenses.json')

function readKey(): KeyObject {
  const path = process.env.LICENSE_KEY
  if (!path) throw new Error("LICENSE_KEY is not set: the PEM file of the issuer's private key")
  return createPrivateKey(readFileSync(path, 'utf8'))
}

/** Reads an option as a whole number from 0. */
function numberOption(name: string, fallback: number): number {
  const text = values[name]
  if (text === undefined) return fallback
  if (!/^\d{1,9}$/.test(String(text))) throw new Error(`--${name} must be a whole number`)
  return Number(text)
}

/**
 * Reads an option with days from now. Returns the time in milliseconds since the epoch; 0 without the option, which
 * means no end.
 */
function endOption(name: string): number {
  if (values[name] === undefined) return 0
  const days = numberOption(name, 0)
  if (days === 0) throw new Error(`--${name} must be at least 1; without it there is no end`)
  return Date.now() + days * DAY
}

function requireArgs(...names: string[]): string[] {
  if (args.length !== names.length) throw new Error(`Usage: ${command} ${names.join(' ')}`)
  return args
}

const print = (license: SoldLicense) => console.log(JSON.stringify(license))

/** Changes the licence with the serial number in the arguments, and prints it. */
function change(changes: Partial<SoldLicense>): void {
  const [sn = ''] = requireArgs('SN')
  licenses.change(sn, changes)
  licenses
    .all()
    .filter((license) => license.sn === sn)
    .forEach(print)
}

const COMMANDS: Readonly<Record<string, () => void>> = {
  key() {
    const [file = ''] = requireArgs('FILE')
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' })
    process.stdout.write(publicKey.export({ type: 'spki', format: 'pem' }))
  },
  add() {
    const [title = '', sn = ''] = requireArgs('TITLE', 'SN')
    if (!isTitle(title)) throw new Error(`TITLE must have 1-${LICENSE_TITLE_MAX} characters`)
    if (licenseSerial(sn)) throw new Error(`SN must have 1-${LICENSE_SERIAL_MAX} characters A-F and 0-9`)
    const limits = Object.fromEntries(
      LIMIT_OPTIONS.map(([name, option]) => [name, numberOption(option, FREE_LIMITS[name as keyof LicenseLimits])])
    ) as unknown as LicenseLimits
    const machine = licenses.all().find((license) => license.sn === sn)?.machine ?? ''
    const license = {
      title,
      sn,
      permissions:
        (values['server-only'] ? 0 : LICENSE_PERMISSION.file) |
        (values['one-machine'] ? 0 : LICENSE_PERMISSION.transfer),
      limits,
      expires: endOption('days'),
      'support-end': endOption('support-days'),
      disabled: false,
      machine
    }
    licenses.put(license)
    print(license)
  },
  list() {
    for (const license of licenses.all()) print(license)
  },
  disable: () => change({ disabled: true }),
  enable: () => change({ disabled: false }),
  release: () => change({ machine: '' }),
  issue() {
    const [sn = '', machine = '', file = ''] = requireArgs('SN', 'MACHINE', 'FILE')
    if (!MACHINE.test(machine))
      throw new Error('MACHINE must be the 32 characters that the licence page of the hub shows')
    const key = readKey()
    writeFileSync(file, `${JSON.stringify(signStatement(licenses.issue(sn, machine), key))}\n`)
  },
  serve() {
    const [port = ''] = requireArgs('PORT')
    if (!/^\d{1,5}$/.test(port)) throw new Error('PORT must be 1-65535')
    createLicenseServer(licenses, readKey()).listen(Number(port), '127.0.0.1', () => {
      console.log(`Licence server: http://127.0.0.1:${port}`)
    })
  }
}

try {
  const run = COMMANDS[command]
  if (!run) throw new Error(`Unknown command. Commands: ${Object.keys(COMMANDS).join(', ')}`)
  run()
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
