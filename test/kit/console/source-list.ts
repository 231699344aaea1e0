// Fixtures for tests of the lists of inputs and outputs.
import { SRT } from '../../../contract/stream/protocols.ts'
import { addInput, addOutput, listInputs } from '../../../contract/stream/source.ts'
import { ROUTES } from '../../../src/paths.ts'
import { until } from '../until.ts'
import { openConsole } from './console.ts'
import { hub, other } from './hub-for-each.ts'
import { click, fill, findByRole, nameOf, queryAllByRole } from './page.ts'

export async function addNamedInput(name: string, url = 'rtmp://192.0.2.20/live/x'): Promise<number> {
  return (await other.send(addInput, { name, config: { type: 1, url } })).id
}
export async function addSrtOutput(name: string, port: number): Promise<number> {
  const config = { mode: 'listener', 'bind-port': port } as const
  return (await other.send(addOutput, { name, protocol: SRT, config })).id
}
export const storedUrls = async () =>
  (await other.send(listInputs, { sort: 'name' })).list.map(({ name, config }) => [name, config.url])
export const storedOutputs = () =>
  hub.parts.store.sources.outputs().map(({ name, protocol, config }) => ({ name, protocol, config }))

export async function openSourceList(path: string = ROUTES.inputs, user?: string) {
  const console = await openConsole(hub, { at: path, user })
  await until(() => queryAllByRole('button', /^(Add |Columns)/).length > 0, 'the list')
  return console
}
export async function findForm(title: string | RegExp, verb: string) {
  const dialog = await findByRole('dialog', title)
  const field = (name: string) => findByRole<HTMLInputElement>('textbox', name, dialog)
  return {
    field,
    list: (name: string) => findByRole<HTMLSelectElement>('combobox', name, dialog),
    fields: () => queryAllByRole('textbox', undefined, dialog).map(nameOf),
    async write(values: Record<string, string>) {
      for (const [name, value] of Object.entries(values)) await fill(await field(name), value)
    },
    send: async () => click(await findByRole('button', verb, dialog))
  }
}
export async function openAddDialog(what: 'Add input' | 'Add output') {
  await click(queryAllByRole('button', what)[0] as HTMLElement)
  return findForm(what, what)
}
