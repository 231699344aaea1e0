// The descriptions of forms: what the hub sends, to whom, and that they fit the calls that they name.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { NDI_VIEW } from '../../../../contract/access/permissions.ts'
import { describeForms, FORM_PAGES, type FormField } from '../../../../contract/form/form.ts'
import { FORMS } from '../../../../contract/form/pages/pages.schema.ts'
import { LOG_LINES } from '../../../../contract/limits.ts'
import { schemaOfField } from '../../../../hub/handlers/form/describe.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'

const test = suite('described forms')
hubForEach(test)

const describe = async (name: (typeof FORM_PAGES)[number], since?: number) =>
  admin.send(describeForms, { name, ...(since !== undefined && { since }) })

async function fieldOf(page: (typeof FORM_PAGES)[number], name: string): Promise<FormField | undefined> {
  const { cards = [] } = await describe(page)
  return cards.flatMap(({ parts }) => parts).find((part): part is FormField => 'type' in part && part.name === name)
}

test('type, range and enumeration of a field come from the schema of its call', async () => {
  const lines = await fieldOf('logs', 'log.max-lines')
  assert.deepEqual(lines, {
    name: 'log.max-lines',
    type: 'number',
    label: 'Lines',
    hint: '1,000-1,000,000',
    min: LOG_LINES.min,
    max: LOG_LINES.max,
    required: true
  })
  const protocol = await fieldOf('logs', 'syslog.protocol')
  assert.equal(protocol?.type, 'select')
  assert.deepEqual(
    protocol?.options?.map(({ value }) => value),
    ['off', 'udp', 'tcp']
  )
  assert.equal((await fieldOf('ndiSettings', 'ndi-discovery.enable'))?.type, 'switch')
  assert.equal((await fieldOf('ndiSettings', 'ndi-discovery.extra-ips'))?.type, 'list')
  assert.equal((await fieldOf('backup', 'target.region'))?.optional, true)
})

test('the description is in the language of the request, and is sent once', async () => {
  const { cards, rev } = await describe('logs')
  assert.equal(cards?.[0]?.title, 'Retention')
  assert.deepEqual(await describe('logs', rev), { result: 0, rev, partial: true })
  const chinese = await admin.raw('GET', '/api/form?name=logs', { headers: { 'accept-language': 'zh' } })
  const reply = (await chinese.json()) as { cards: { title: string }[]; rev: number }
  assert.equal(reply.cards[0]?.title, '日志保留期')
  assert.notEqual(reply.rev, rev)
})

test('a user gets the cards whose values he may read', async () => {
  const vera = await addUser(hub, 'vera', NDI_VIEW)
  const { cards = [] } = await vera.send(describeForms, { name: 'ndiSettings' })
  assert.ok(cards.some(({ name }) => name === 'discovery'))
  assert.deepEqual((await vera.send(describeForms, { name: 'backup' })).cards, [])
  const { entries = [] } = await vera.send(describeForms, {})
  assert.ok(entries.some(({ labels }) => labels.includes('Machine name')))
  assert.ok(entries.every(({ route }) => route !== 'backup'))
})

test('every described page is a route of the console, and every field is one of its call', () => {
  for (const page of FORM_PAGES) {
    assert.ok(page in ROUTES, page)
    const { cards } = FORMS[page]
    assert.equal(new Set(cards.map(({ name }) => name)).size, cards.length)
    for (const { save, parts = [], name } of cards)
      for (const part of parts) {
        if ('list' in part)
          for (const dialog of [part.add, part.edit])
            for (const each of dialog?.parts ?? [])
              if (dialog && 'field' in each) schemaOfField(dialog.call, each.field, each.within)
        if (!('field' in part)) continue
        assert.ok(save, `${name} has fields, and nothing that saves them`)
        schemaOfField(save.call, part.field)
      }
  }
})

test.run()
