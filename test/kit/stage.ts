// What a journey needs: a hub and its fleet as processes, on a folder of their own, and a browser in front of them.
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { acceptDevices, type Device, listDevices, REGISTRATION_STATE } from '../../contract/device/device.ts'
import { sendControlRequest } from '../../fleet/control-socket.ts'
import { openChromium, signIn } from './browser.ts'
import { type Complaints, listenForComplaints } from './complaints.ts'
import { type FleetProcess, startFleet } from './fleet-process.ts'
import { until } from './link-hub.ts'
import { type HubProcess, startHubProcess } from './process.ts'

export interface Visit {
  /** Path and query of the place to begin at. */
  at?: string
  /** Does not sign in. */
  stranger?: boolean
  /** Where the console is loaded from, when not from the hub itself. */
  origin?: string
  /** Width and height of the window. */
  size?: [number, number]
}

export interface Stage {
  hub: HubProcess
  /** The process of a device of the fleet. */
  pidOf(sn: string): Promise<number>
  /** Starts the process of a device that was killed. */
  startDevice(sn: string): Promise<void>
  /**
   * Opens a page with a browser memory of its own and walks through it. What the browser complains about meanwhile (an error on its
   * console, a request to anywhere else, a breach of the security policy) fails the journey as well.
   */
  visit(visit: Visit, journey: (page: Page, complaints: Complaints) => Promise<void>): Promise<void>
  /** Ends the hub as a power cut would, and starts it again on the same folder and ports. */
  restartHub(meanwhile: () => Promise<void>): Promise<void>
  /** The device that has this name, as the hub has it. It is waited for until it has registered. */
  device(name: string): Promise<Device>
  /** Has the hub accept devices, unless it has. */
  accept(...names: string[]): Promise<Device[]>
  close(): Promise<void>
}

export interface StageOptions {
  /** Demo devices, all of which wait for approval. */
  devices?: number
  /** The clip they push. */
  clip?: Uint8Array
  open?: () => Promise<Browser>
}

/** Milliseconds a page may take for one thing: much, because the machine may be busy. */
const PATIENCE = 15_000

export async function openStage({ devices = 0, clip, open = openChromium }: StageOptions = {}): Promise<Stage> {
  const dist = process.env.DIST ?? './dist'
  if (!existsSync(join(dist, 'index.html')))
    throw new Error(`There is no console in ${dist}: run \`make build\` first.`)
  const data = mkdtempSync(join(tmpdir(), 'headend-stage-'))
  let hub: HubProcess | undefined
  let fleet: FleetProcess | undefined
  let browser: Browser | undefined

  async function close(): Promise<void> {
    await browser?.close()
    await fleet?.kill('SIGTERM')
    if (hub && hub.child.exitCode === null && hub.child.signalCode === null) {
      const gone = once(hub.child, 'exit')
      hub.child.kill('SIGTERM')
      await gone
    }
    rmSync(data, { recursive: true, force: true })
  }

  try {
    hub = await startHubProcess(data)
    if (devices > 0) fleet = await startFleet(data, hub.linkPort, devices, clip)
    browser = await open()
  } catch (error) {
    await close()
    throw error
  }

  const opened = browser
  const self: Stage = {
    hub,
    pidOf: async (sn) => (await fleet?.pidOf(sn)) ?? 0,
    async startDevice(sn) {
      if (fleet) await sendControlRequest(fleet.folder, { act: 'start', sn })
    },
    async visit({ at = '', stranger, origin = self.hub.url, size: [width, height] = [1280, 800] }, journey) {
      const context = await opened.newContext({ locale: 'en-US', viewport: { width, height } })
      context.setDefaultTimeout(PATIENCE)
      const page = await context.newPage()
      const complaints = await listenForComplaints(page, origin)
      const walk = async () => {
        await page.goto(`${origin}/${at && `#${at}`}`)
        if (!stranger) {
          await signIn(page)
          await page.getByRole('banner').getByRole('status').getByText('Live').waitFor()
        }
        await journey(page, complaints)
      }
      try {
        const walked = walk()
        walked.catch(() => {})
        await Promise.race([walked, complaints.thrown])
      } catch (error) {
        console.log(`${page.url()}\n${await page.ariaSnapshot().catch(() => 'The page does not answer.')}`)
        console.log(complaints.list().join('\n'))
        throw error
      } finally {
        await context.close()
      }
      const said = complaints.list()
      if (said.length > 0) throw new Error(`The browser complained:\n${said.join('\n')}`)
    },
    async restartHub(meanwhile) {
      const { url, linkPort } = self.hub
      await self.hub.kill()
      await meanwhile()
      hub = self.hub = await startHubProcess(data, { web: Number(new URL(url).port), link: linkPort })
    },
    async device(name) {
      let found: Device | undefined
      await until(async () => {
        const answers = [
          await self.hub.send(listDevices, {}),
          await self.hub.send(listDevices, { 'reg-state': 'waiting' })
        ]
        found = answers.flatMap(({ list }) => list).find((device) => device.name === name)
        return found !== undefined
      }, `the registration of ${name}`)
      return found as Device
    },
    async accept(...names) {
      const found = await Promise.all(names.map((name) => self.device(name)))
      const waiting = found.filter((device) => device['reg-state'] !== REGISTRATION_STATE.accepted)
      if (waiting.length === 0) return found
      const { result } = await self.hub.send(acceptDevices, { sn: waiting.map(({ sn }) => sn) })
      if (result !== 0) throw new Error(`accepting ${names} was answered with ${result}`)
      return found
    },
    close
  }
  return self
}
