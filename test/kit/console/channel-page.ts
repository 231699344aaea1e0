// Fixtures for tests of the channel page: a channel named News, its inputs and outputs.
import type { Test } from 'uvu'
import { addChannel, addChannelOutputs, type Channel, queryChannel } from '../../../contract/stream/channel.ts'
import { SRT } from '../../../contract/stream/protocols.ts'
import { addInput, addOutput } from '../../../contract/stream/source.ts'
import type { ObservedLeg, ObservedOutput } from '../../../engine/interfaces/channel.ts'
import { type ChannelTab, linkTo } from '../../../src/paths.ts'
import { setObservedChannel } from '../hub/observed-channel.ts'
import { openConsole, type TestConsole } from './console.ts'
import { hub, hubForEach, other } from './hub-for-each.ts'
import { click, findByRole, waitForNone } from './page.ts'

/** ID of the channel in the current test. */
export let channelId: number

/** Starts a new hub with the channel before each test of a suite. */
export function channelForEach(test: Pick<Test, 'before' | 'after'>): void {
  hubForEach(test)
  test.before.each(async () => {
    ;({ id: channelId } = await other.send(addChannel, { name: 'News' }))
  })
}

/** The channel, as the hub returns it. */
export const fetchChannel = async (): Promise<Channel> => (await other.send(queryChannel, { id: channelId })).channel

/** Adds an input, which is not assigned to the channel. @returns its ID */
export async function addRtmpInput(name: string): Promise<number> {
  return (await other.send(addInput, { name, config: { type: 1, url: `rtmp://192.0.2.20/live/${name}` } })).id
}

/** Adds an SRT listener to the channel. @returns the output's ID */
export async function addSrtOutput(name: string, port: number): Promise<number> {
  const config = { mode: 'listener', 'bind-port': port } as const
  const output = await other.send(addOutput, { name, protocol: SRT, config })
  await other.send(addChannelOutputs, { id: channelId, outputs: [output.id] })
  return output.id
}

/** Makes the engine report this state for the channel. @param legs state of the outputs, by ID */
export const setObserved = (input: ObservedLeg, legs?: Readonly<Record<number, ObservedOutput>>): void =>
  setObservedChannel(hub, channelId, input, legs)

/** Path of the channel page. @param tab the first one by default */
export const pagePath = (tab?: ChannelTab): string => linkTo('channelDetail', { channelId: String(channelId), tab })

/** Opens the channel page. @param user Admin by default */
export async function openChannelPage(user?: string, tab?: ChannelTab): Promise<TestConsole> {
  const console = await openConsole(hub, { at: pagePath(tab), user })
  await findByRole('heading', 'News')
  return console
}

/** Finds a card of the page by its heading. */
export const findCard = (name: string) => findByRole('article', name)

/** The form of the tab that is open, found by one of its controls. */
export function formOf(control: HTMLElement) {
  const form = control.closest('form') as HTMLElement
  return {
    form,
    field: (name: string) => findByRole<HTMLInputElement>('textbox', name, form),
    tick: (name: string) => findByRole<HTMLInputElement>('checkbox', name, form),
    press: async (name: string) => click(await findByRole('button', name, form)),
    save: async () => click(await findByRole('button', 'Save', form))
  }
}

/** Waits until the bar of unsaved changes is gone. */
export const waitUntilSaved = () => waitForNone('button', 'Save')
