// Cards that a hub describes and that the console has never heard of.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { INVALID_ARG, SUCCESS } from '../../../../contract/codes.ts'
import { describeForms, type FormCard } from '../../../../contract/form/form.ts'
import { linkTo } from '../../../../src/paths.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  clickWhenFree,
  fill,
  findByRole,
  queryAllByRole,
  selectOption,
  waitForFieldMessage,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { until } from '../../../kit/until.ts'

const test = suite('described cards')
hubForEach(test)

const CARD: FormCard = {
  name: 'mixer',
  title: 'Coffee machine',
  read: '/coffee',
  topic: 'status',
  at: 'settings',
  save: {
    path: '/coffee/set',
    access: 'admin',
    confirm: { text: 'Everybody waits.', label: 'Brew', when: [{ of: 'kind', is: ['tea'] }] }
  },
  parts: [
    { as: 'muted', text: 'For the night shift.' },
    {
      fact: 'State',
      value: 'state',
      states: { hot: { tone: 'good', text: 'Hot' }, '*': { tone: 'warn' } }
    },
    {
      fact: 'Last cup',
      value: 'last',
      states: { poured: { tone: 'good', text: 'Poured' } },
      since: 'poured',
      as: 'ago'
    },
    { fact: 'Cups', value: 'cups', as: 'number' },
    { fact: 'Beans', value: 'beans' },
    { name: 'on', type: 'switch', label: 'Brew at six' },
    {
      name: 'kind',
      type: 'select',
      label: 'Drink',
      options: [
        { value: 'coffee', label: 'Coffee' },
        { value: 'tea', label: 'Tea' }
      ]
    },
    {
      name: 'limits.strength',
      type: 'number',
      label: 'Strength',
      min: 1,
      max: 10,
      required: true,
      when: [{ of: 'kind', is: ['coffee'] }]
    },
    { name: 'guests', type: 'list', label: 'Guests', hint: 'Separated by commas' },
    { name: 'note', type: 'lines', label: 'Note', optional: true },
    { name: 'pin', type: 'secret', label: 'PIN', optional: true, stored: { of: 'has-pin', hint: 'A PIN is stored' } },
    { button: 'Taste', path: '/coffee/taste', access: 'admin', fields: ['limits'] },
    { as: 'good', value: 'answer.verdict', when: [{ of: 'answer.verdict', not: [null] }] },
    { button: 'Descale', path: '/coffee/descale', access: 'admin', confirm: 'It takes an hour.', success: 'Descaling' }
  ]
}

interface Sent {
  path: string
  body: unknown
}

/** Opens the page of the logs, whose description is replaced. @returns the requests of the card */
async function openCard(answer: (path: string) => object = () => ({})): Promise<Sent[]> {
  const console = await openConsole(hub, { at: linkTo('logs') })
  const sent: Sent[] = []
  const stored = { on: true, kind: 'coffee', limits: { strength: 7 }, guests: ['Ann', 'Ben'] }
  console.intercept = (path, body) => {
    if (path.includes(`${describeForms.path}?name=`)) return Response.json({ result: SUCCESS, rev: 1, cards: [CARD] })
    if (!path.includes('/coffee')) return undefined
    if (body === undefined)
      return Response.json({
        result: SUCCESS,
        settings: stored,
        state: 'hot',
        last: 'poured',
        poured: Date.now() - 7_200_000,
        cups: 1200,
        beans: ['Kenya', 'Peru'],
        'has-pin': true
      })
    sent.push({ path: path.replace(/^.*\/api/, ''), body: JSON.parse(body) })
    return Response.json({ result: SUCCESS, ...answer(path) })
  }
  await click(await findByRole('link', 'Settings', await findByRole('navigation', 'Logs')))
  await waitForText('Coffee machine')
  return sent
}

test('a card of an unknown feature shows its state and its fields', async () => {
  await openCard()
  await waitForText('State Hot Last cup Poured 2 h ago Cups 1,200 Beans Kenya Peru')
  assert.equal((await findByRole<HTMLInputElement>('checkbox', 'Brew at six')).checked, true)
  assert.equal((await findByRole<HTMLInputElement>('textbox', 'Strength')).value, '7')
  assert.equal((await findByRole<HTMLInputElement>('textbox', 'Guests')).value, 'Ann, Ben')
  await waitForText('A PIN is stored')
})

test('the request has the fields that are shown, at their paths, and no empty secret', async () => {
  const sent = await openCard()
  const strength = await findByRole('textbox', 'Strength')
  await fill(strength, '11')
  await clickWhenFree('Save')
  await waitForFieldMessage(strength, 'Must be between 1 and 10')
  await fill(strength, '10')
  await fill(await findByRole('textbox', 'Guests'), 'Ann,  Cem ,')
  await clickWhenFree('Save')
  await waitForText('Settings saved')
  assert.deepEqual(sent, [
    { path: '/coffee/set', body: { on: true, kind: 'coffee', limits: { strength: 10 }, guests: ['Ann', 'Cem'] } }
  ])
})

test('a question comes before a change that asks for it, and hidden fields are not sent', async () => {
  const sent = await openCard()
  await selectOption(await findByRole('combobox', 'Drink'), 'Tea')
  await waitForNone('textbox', 'Strength')
  await clickWhenFree('Save')
  await click(await findByRole('button', 'Cancel', await findByRole('dialog', 'Brew?')))
  assert.equal(sent.length, 0)
  await clickWhenFree('Save')
  await click(await findByRole('button', 'Brew', await findByRole('dialog', 'Brew?')))
  await waitForText('Settings saved')
  assert.deepEqual(sent.pop()?.body, { on: true, kind: 'tea', guests: ['Ann', 'Ben'] })
})

test('all fields that the hub rejects show why', async () => {
  const also = [{ field: 'note', fault: 'characters' }]
  await openCard(() => ({ result: INVALID_ARG, field: 'guests', fault: 'invalid', also }))
  const guests = await findByRole('textbox', 'Guests')
  await fill(guests, '?')
  await clickWhenFree('Save')
  await waitForFieldMessage(guests, 'Invalid entry')
  const note = await findByRole('textbox', 'Note')
  await waitForFieldMessage(note, 'Contains characters that are not allowed')
  await fill(note, 'x')
  await until(() => note.getAttribute('aria-invalid') === null, 'the error is gone')
  await waitForFieldMessage(guests, 'Invalid entry')
})

test('the answer to a button is shown until the fields change, and another button asks first', async () => {
  const sent = await openCard(() => ({ verdict: 'Bitter' }))
  await click(await findByRole('button', 'Taste'))
  await waitForText('Bitter')
  assert.deepEqual(sent.pop(), { path: '/coffee/taste', body: { limits: { strength: 7 } } })
  await fill(await findByRole('textbox', 'Strength'), '3')
  await until(() => !document.body.textContent?.includes('Bitter'), 'the answer is about other values')
  await click(await findByRole('button', 'Descale'))
  await click(await findByRole('button', 'Descale', await findByRole('dialog', 'Descale?')))
  await waitForText('Descaling')
  assert.equal(sent.pop()?.path, '/coffee/descale')
  assert.equal(queryAllByRole('dialog').length, 0)
})

test.run()
