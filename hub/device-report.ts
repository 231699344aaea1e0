// Writes a report of a real device: node hub/device-report.ts ADDRESS [USER] [FILE], where ADDRESS has a port and
// https:// in front if needed. The password is read from standard input, so that no list of processes shows it.
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { createReport } from './devices/report/create-report.ts'

/** Reads a line. At a terminal it is not shown. */
async function readPassword(): Promise<string> {
  const { stdin, stderr } = process
  if (stdin.isTTY) {
    stderr.write('Password of the device: ')
    stdin.setRawMode(true)
    let password = ''
    for await (const chunk of stdin) {
      for (const character of String(chunk)) {
        if (character === '\u0003') process.exit(130)
        if (character === '\r' || character === '\n') {
          stdin.setRawMode(false)
          stdin.pause()
          stderr.write('\n')
          return password
        }
        password = character === '\u007f' ? password.slice(0, -1) : password + character
      }
    }
    return password
  }
  for await (const line of createInterface({ input: stdin })) return line
  return ''
}

const [target = '', user = 'Admin', file = 'device-report.json'] = process.argv.slice(2)
const text = target.includes('://') ? target : `http://${target}`
const url = URL.canParse(text) && target !== '' ? new URL(text) : undefined
if (!url || !/^https?:$/.test(url.protocol) || url.password) {
  console.error('Usage: make device-report ADDRESS=192.0.2.7 [USER_NAME=Admin] [FILE=device-report.json]')
  process.exit(1)
}
const https = url.protocol === 'https:'
const port = Number(url.port || (https ? 443 : 80))
const address = {
  address: url.hostname.replace(/^\[|\]$/g, ''),
  port,
  https,
  user,
  password: await readPassword(),
  cert: ''
}
try {
  const report = await createReport(address, { allowLoopback: true, ownPorts: () => [] }, ({ target, status, ms }) =>
    console.error(`${target}: ${status}, ${ms} ms`)
  )
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`)
  console.error(`${report.model}, firmware ${report.firmware}. Read ${file} before you send it: names stay in it.`)
} catch (error) {
  console.error(`No report: ${(error as Error).message}`)
  process.exit(1)
}
