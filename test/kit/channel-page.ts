// A channel named News, what it can be given, and its page in the console.
import type { Test } from 'uvu'
import { addChannel, addChannelOutputs, type Channel, queryChannel } from '../../contract/stream/channel.ts'
import { SRT } from '../../contract/stream/protocols.ts'
import { addInput, addOutput } from '../../contract/stream/source.ts'
import type { ObservedLeg, ObservedOutput } from '../../engine/interfaces/channel.ts'
import { linkTo } from '../../src/paths.ts'
import { openConsole, type TestConsole } from './console.ts'
import { hub, hubForEach, other } from './hub-for-each.ts'
import { measure } from './measured.ts'
import { one } from './page.ts'

/** Of the channel in the test that runs. */
export let id: number

/** Has each test of a suite begin with a new hub that has this channel. */
export function channelForEach(test: Pick<Test, 'before' | 'after'>): void {
  hubForEach(test)
  test.before.each(async () => {
    ;({ id } = await other.send(addChannel, { name: 'News' }))
  })
}

/** What the hub has of it. */
export const channel = async (): Promise<Channel> => (await other.send(queryChannel, { id })).channel

/** Adds a source, which the channel does not have yet. @returns its id */
export async function addedInput(name: string): Promise<number> {
  return (await other.send(addInput, { name, config: { type: 1, url: `rtmp://192.0.2.20/live/${name}` } })).id
}

/** Gives it an SRT listener. @returns its id */
export async function addedOutput(name: string, port: number): Promise<number> {
  const config = { mode: 'listener', 'bind-port': port } as const
  const output = await other.send(addOutput, { name, protocol: SRT, config })
  await other.send(addChannelOutputs, { id, outputs: [output.id] })
  return output.id
}

/** Has the engine have measured this of it. @param legs by the ids of its outputs */
export const measured = (input: ObservedLeg, legs?: Readonly<Record<number, ObservedOutput>>): void =>
  measure(hub, id, input, legs)

/** Where its page is. */
export const place = (): string => linkTo('channelDetail', { channelId: String(id) })

/** Opens its page. @param user Admin unless it is somebody else */
export async function open(user?: string): Promise<TestConsole> {
  const console = await openConsole(hub, { at: place(), user })
  await one('heading', 'News')
  return console
}

/** One of the page's cards, by its heading. */
export const card = (name: string) => one('article', name)
