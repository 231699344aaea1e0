import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { Envelope } from '../../../contract/call.ts'
import { INVALID_ARG, NAME_EXISTS } from '../../../contract/codes.ts'
import { port, streamName } from '../../../contract/rules/rules.ts'
import { DateField } from '../../../src/form/date-field.tsx'
import { NumberField } from '../../../src/form/number-field.tsx'
import { PasswordField } from '../../../src/form/password-field.tsx'
import { SelectField } from '../../../src/form/select-field.tsx'
import { SwitchField } from '../../../src/form/switch-field.tsx'
import { TextField } from '../../../src/form/text-field.tsx'
import { useForm } from '../../../src/form/use-form.ts'
import { setLanguage } from '../../../src/text/language.ts'
import { Button } from '../../../src/ui/button.tsx'
import { mount } from '../../kit/mount.ts'
import { until } from '../../kit/until.ts'

const test = suite('form')

interface Values {
  name: string
  port: string
  key: string
  kind: string
  on: boolean
}

type Answer = Partial<Envelope> | undefined

let sent: Values[] = []
let answer: (values: Values) => Promise<Answer> = async () => undefined

test.before.each(() => {
  setLanguage('en')
  sent = []
  answer = async () => undefined
})

function Sample({ values }: { values?: Partial<Values> }) {
  const form = useForm<Values>(
    { name: streamName, port },
    { name: '', port: '9000', key: '', kind: 'a', on: false, ...values },
    async (now) => {
      sent.push(now)
      return answer(now)
    },
    { fields: { 'config.bind-port': 'port' }, codes: { [NAME_EXISTS]: 'name' } }
  )
  return (
    <form noValidate onSubmit={form.submit}>
      <TextField label="Name" hint="Any name" {...form.field('name')} />
      <NumberField label="Port" {...form.field('port')} />
      <PasswordField label="Key" {...form.field('key')} />
      <SelectField
        label="Kind"
        options={[
          { value: 'a', label: 'A' },
          { value: 'b', label: 'B' }
        ]}
        {...form.field('kind')}
      />
      <SwitchField label="On" {...form.field('on')} />
      <Button submit label="Add" busy={form.busy} />
    </form>
  )
}

function show(values?: Partial<Values>) {
  const host = mount(<Sample values={values} />)
  const input = (name: string) => host.querySelector(`[name=${name}]`) as HTMLInputElement
  return {
    host,
    input,
    type(name: string, text: string) {
      input(name).value = text
      input(name).dispatchEvent(new Event('input', { bubbles: true }))
    },
    leave: (name: string) => input(name).dispatchEvent(new Event('blur')),
    submit: () => host.querySelector('form')?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })),
    faults: () => [...host.querySelectorAll('.fault')].map((element) => element.textContent)
  }
}

test('a fault is not shown before its field was left, and then as one types', async () => {
  const { type, leave, faults } = show()
  type('name', ' ')
  await until(() => faults().length === 0, 'no fault')
  leave('name')
  await until(() => faults()[0] === 'Cannot begin or end with a space', 'the fault')
  type('name', 'ok')
  await until(() => faults().length === 0, 'the fault gone')
  type('name', '')
  await until(() => faults()[0] === 'Required', 'the next fault')
})

test('a field that is left empty and was never typed in says nothing before the form is sent', async () => {
  const { type, leave, submit, faults } = show({ port: '' })
  leave('name')
  type('port', '1')
  type('port', '')
  leave('port')
  await until(() => faults().length > 0, 'the field that was typed in')
  assert.equal(faults().length, 1)
  submit()
  await until(() => faults().length === 2, 'both')
})

test('a value that was wrong from the start is said when its field is left', async () => {
  const { leave, faults } = show({ port: 'x' })
  leave('port')
  await until(() => faults()[0] === 'Invalid number', 'the fault')
})

test('sending shows all faults, sends nothing, and the first fault has the focus', async () => {
  const { submit, faults, input } = show({ port: 'x' })
  submit()
  await until(() => faults().length === 2, 'two faults')
  assert.deepEqual(faults(), ['Required', 'Invalid number'])
  assert.equal(document.activeElement, input('name'))
  assert.deepEqual(sent, [])
})

test('a field names its hint, or what is wrong in place of it', async () => {
  const { input, type, leave, host } = show()
  const said = () => host.querySelector(`[id="${input('name').getAttribute('aria-describedby')}"]`)?.textContent
  assert.equal(said(), 'Any name')
  assert.equal(input('name').hasAttribute('aria-invalid'), false)
  type('name', '')
  leave('name')
  await until(() => said() === 'Required', 'what is wrong')
  assert.equal(input('name').getAttribute('aria-invalid'), 'true')
  assert.equal(host.querySelector('label')?.getAttribute('for'), input('name').id)
})

test('what is sent is what is shown, of every kind of field', async () => {
  const { type, input, submit } = show()
  type('name', 'Main stage')
  type('key', 'secret')
  input('kind').value = 'b'
  input('kind').dispatchEvent(new Event('input', { bubbles: true }))
  input('on').checked = true
  input('on').dispatchEvent(new Event('change', { bubbles: true }))
  await until(() => input('on').checked, 'drawn')
  submit()
  await until(() => sent.length === 1, 'the form')
  assert.deepEqual(sent[0], { name: 'Main stage', port: '9000', key: 'secret', kind: 'b', on: true })
})

test('while it is under way it is busy and not sent twice', async () => {
  const { submit, host } = show({ name: 'a' })
  const done = Promise.withResolvers<Answer>()
  answer = () => done.promise
  const busy = () => host.querySelector('[type=submit]')?.getAttribute('aria-busy') === 'true'
  submit()
  await until(busy, 'busy')
  submit()
  assert.equal(sent.length, 1)
  done.resolve(undefined)
  await until(() => !busy(), 'through')
})

test('a field that the hub refuses is marked by its name on the wire, until it is changed', async () => {
  const { submit, faults, input, type } = show({ name: 'a' })
  answer = async () => ({ result: INVALID_ARG, field: 'config.bind-port' })
  submit()
  await until(() => faults()[0] === 'Invalid entry', 'the refusal')
  assert.equal(document.activeElement, input('port'))
  type('port', '9001')
  await until(() => faults().length === 0, 'the refusal gone')
})

test('a fault that the hub names is said in its own words', async () => {
  const { submit, faults, host } = show({ name: 'a' })
  answer = async () => ({ result: INVALID_ARG, field: 'name', fault: 'length', min: 1, max: 32 })
  submit()
  await until(() => faults()[0] === 'Must be 1 to 32 characters long', 'the fault')
  await until(() => !host.querySelector('[aria-busy]'), 'through')
  answer = async () => ({ result: INVALID_ARG, field: 'name', fault: 'any-space' })
  submit()
  await until(() => faults()[0] === 'Cannot contain any space', 'the next fault')
})

test('a fault that nobody here knows, or that lacks its numbers, is an invalid entry', async () => {
  const { submit, faults, type } = show({ name: 'a' })
  for (const fault of ['toString', 'Invalid input', 'length', 'range', '']) {
    answer = async () => ({ result: INVALID_ARG, field: 'name', fault })
    submit()
    await until(() => faults()[0] === 'Invalid entry', fault)
    type('name', `not ${fault}.`)
    await until(() => faults().length === 0, 'the fault gone')
  }
})

test('a code that speaks of a field is said there, another one nowhere', async () => {
  const { submit, faults, host } = show({ name: 'a' })
  answer = async () => ({ result: NAME_EXISTS })
  submit()
  await until(() => faults()[0] === 'The name already exists', 'the refusal')
  answer = async () => ({ result: 31 })
  submit()
  await until(() => sent.length === 2 && !host.querySelector('[aria-busy]'), 'the answer')
  assert.deepEqual(faults(), [])
})

test('a form that is gone when the answer comes is left alone', async () => {
  const { submit, host } = show({ name: 'a' })
  const done = Promise.withResolvers<Answer>()
  answer = () => done.promise
  submit()
  await until(() => sent.length === 1, 'the form')
  const { render } = await import('preact')
  render(null, host)
  done.resolve({ result: NAME_EXISTS })
  await done.promise
  assert.equal(host.textContent, '')
})

test('a date is a text of the day, or of day and time', async () => {
  const rules = { day: (value: string) => (value > '2026-03-01' ? undefined : { name: 'invalid' as const }) }
  const Dates = () => {
    const form = useForm(rules, { day: '', moment: '2026-03-01T09:30' }, async (values) => {
      sent.push(values as never)
      return undefined
    })
    return (
      <form noValidate onSubmit={form.submit}>
        <DateField label="Day" hint="From tomorrow on" min="2026-03-02" {...form.field('day')} />
        <DateField label="Moment" time {...form.field('moment')} />
      </form>
    )
  }
  const host = mount(<Dates />)
  const [day, moment] = [...host.querySelectorAll('input')]
  assert.ok(day && moment)
  assert.deepEqual(
    [day.type, day.min, moment.type, moment.value],
    ['date', '2026-03-02', 'datetime-local', '2026-03-01T09:30']
  )
  assert.equal(host.querySelector('label')?.getAttribute('for'), day.id)
  const choose = (text: string) => {
    day.value = text
    day.dispatchEvent(new Event('input', { bubbles: true }))
  }
  choose('2026-03-01')
  day.dispatchEvent(new Event('blur'))
  await until(() => host.querySelector('.fault')?.textContent === 'Invalid entry', 'the fault')
  choose('2026-03-02')
  await until(() => !host.querySelector('.fault'), 'the fault gone')
  host.querySelector('form')?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
  await until(() => sent.length === 1, 'the form')
  assert.deepEqual(sent[0], { day: '2026-03-02', moment: '2026-03-01T09:30' })
})

test('a password is shown when asked to, and hidden again', async () => {
  const { input, host } = show()
  const eye = host.querySelector('.beside .button') as HTMLButtonElement
  assert.equal(input('key').type, 'password')
  eye.click()
  await until(() => input('key').type === 'text', 'the password in sight')
  assert.equal(eye.getAttribute('aria-pressed'), 'true')
  eye.click()
  await until(() => input('key').type === 'password', 'the password hidden')
})

test.run()
