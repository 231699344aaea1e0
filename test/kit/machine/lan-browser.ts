// A browser in the LAN of a test machine.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { CHROMIUM } from '../browser/browser.ts'
import type { TestMachine } from './machine.ts'

/** Starts Debian's Chromium in the LAN. It is controlled over a pipe, so that its network need not reach the test. */
export async function openLanChromium(machine: TestMachine): Promise<Browser> {
  const folder = mkdtempSync(join(tmpdir(), 'headend-lan-browser-'))
  const launcher = join(folder, 'chromium')
  const command = machine.commandLine([CHROMIUM], { in: 'lan' }).map((part) => `'${part}'`)
  writeFileSync(launcher, `#!/bin/bash\nexec ${command.join(' ')} "$@"\n`)
  chmodSync(launcher, 0o755)
  const flags = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync']
  const browser = await chromium.launch({ executablePath: launcher, args: flags })
  browser.on('disconnected', () => rmSync(folder, { recursive: true, force: true }))
  return browser
}
