import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { Envelope } from '../../../contract/call.ts'
import { INVALID_ARG, NAME_EXISTS, NOT_PERMITTED } from '../../../contract/codes.ts'
import { port, streamName } from '../../../contract/rules/rules.ts'
import { DateField } from '../../../src/form/date-field.tsx'
import { SelectField } from '../../../src/form/select-field.tsx'
import { SwitchField } from '../../../src/form/switch-field.tsx'
import { NumberField, PasswordField, TextField } from '../../../src/form/text-field.tsx'
import { useForm } from '../../../src/form/use-form.ts'
import { setLanguage } from '../../../src/text/language.ts'
import { Button } from '../../../src/ui/button.tsx'
import { mount } from '../../kit/console/mount.ts'
import { until } from '../../kit/until.ts'

const test = suite('form')

interface Values {
  name: string
  port: string
  key: string
  kind: string
  on: boolean
}

type TestResponse = Partial<Envelope> | undefined

let sentValues: Values[] = []
let respond: (values: Values) => Promise<TestResponse> = async () => undefined

test.before.each(() => {
  setLanguage('en')
  sentValues = []
  respond = async () => undefined
})

function Sample({ values }: { values?: Partial<Values> }) {
  const form = useForm<Values>(
    { name: streamName, port },
    { name: '', port: '9000', key: '', kind: 'a', on: false, ...values },
    async (now) => {
      sentValues.push(now)
      return respond(now)
    },
    { fieldOfWireName: { 'config.bind-port': 'port' }, fieldOfCode: { [NAME_EXISTS]: 'name' } }
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

function showForm(values?: Partial<Values>) {
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

test('an error is shown after its field has lost the focus, and then while typing', async () => {
  const { type, leave, faults } = showForm()
  type('name', ' ')
  await until(() => faults().length === 0, 'no fault')
  leave('name')
  await until(() => faults()[0] === 'Cannot begin or end with a space', 'the fault')
  type('name', 'ok')
  await until(() => faults().length === 0, 'the error to disappear')
  type('name', '')
  await until(() => faults()[0] === 'Required', 'the next error')
})

test('a field that stays empty and untouched shows no error before the form is submitted', async () => {
  const { type, leave, submit, faults } = showForm({ port: '' })
  leave('name')
  type('port', '1')
  type('port', '')
  leave('port')
  await until(() => faults().length > 0, 'the error of the field that was typed in')
  assert.equal(faults().length, 1)
  submit()
  await until(() => faults().length === 2, 'both')
})

test('an initial value that is invalid is reported when its field loses the focus', async () => {
  const { leave, faults } = showForm({ port: 'x' })
  leave('port')
  await until(() => faults()[0] === 'Invalid number', 'the fault')
})

test('submitting an invalid form shows all errors, sends nothing, and focuses the first error', async () => {
  const { submit, faults, input } = showForm({ port: 'x' })
  submit()
  await until(() => faults().length === 2, 'two faults')
  assert.deepEqual(faults(), ['Required', 'Invalid number'])
  assert.equal(document.activeElement, input('name'))
  assert.deepEqual(sentValues, [])
})

test('a field is described by its hint, or by its error instead', async () => {
  const { input, type, leave, host } = showForm()
  const description = () => host.querySelector(`[id="${input('name').getAttribute('aria-describedby')}"]`)?.textContent
  assert.equal(description(), 'Any name')
  assert.equal(input('name').hasAttribute('aria-invalid'), false)
  type('name', '')
  leave('name')
  await until(() => description() === 'Required', 'the error')
  assert.equal(input('name').getAttribute('aria-invalid'), 'true')
  assert.equal(host.querySelector('label')?.getAttribute('for'), input('name').id)
})

test('the submitted values are the shown ones, for every kind of field', async () => {
  const { type, input, submit } = showForm()
  type('name', 'Main stage')
  type('key', 'secret')
  input('kind').value = 'b'
  input('kind').dispatchEvent(new Event('input', { bubbles: true }))
  input('on').checked = true
  input('on').dispatchEvent(new Event('change', { bubbles: true }))
  await until(() => input('on').checked, 'the switch')
  submit()
  await until(() => sentValues.length === 1, 'the form')
  assert.deepEqual(sentValues[0], { name: 'Main stage', port: '9000', key: 'secret', kind: 'b', on: true })
})

test('a form is busy while it is submitted and is not sent twice', async () => {
  const { submit, host } = showForm({ name: 'a' })
  const response = Promise.withResolvers<TestResponse>()
  respond = () => response.promise
  const busy = () => host.querySelector('[type=submit]')?.getAttribute('aria-busy') === 'true'
  submit()
  await until(busy, 'busy')
  submit()
  assert.equal(sentValues.length, 1)
  response.resolve(undefined)
  await until(() => !busy(), 'through')
})

test('a field that the hub rejects by its wire name shows an error until it is changed', async () => {
  const { submit, faults, input, type } = showForm({ name: 'a' })
  respond = async () => ({ result: INVALID_ARG, field: 'config.bind-port' })
  submit()
  await until(() => faults()[0] === 'Invalid entry', 'the refusal')
  assert.equal(document.activeElement, input('port'))
  type('port', '9001')
  await until(() => faults().length === 0, 'the rejection to disappear')
})

test('a fault that the hub names is shown with its own sentence', async () => {
  const { submit, faults, host } = showForm({ name: 'a' })
  respond = async () => ({ result: INVALID_ARG, field: 'name', fault: 'length', min: 1, max: 32 })
  submit()
  await until(() => faults()[0] === 'Must be 1 to 32 characters long', 'the fault')
  await until(() => !host.querySelector('[aria-busy]'), 'through')
  respond = async () => ({ result: INVALID_ARG, field: 'name', fault: 'any-space' })
  submit()
  await until(() => faults()[0] === 'Cannot contain any space', 'the next error')
})

test('an unknown fault, or one without its numbers, is shown as an invalid entry', async () => {
  const { submit, faults, type } = showForm({ name: 'a' })
  for (const fault of ['toString', 'Invalid input', 'length', 'range', '']) {
    respond = async () => ({ result: INVALID_ARG, field: 'name', fault })
    submit()
    await until(() => faults()[0] === 'Invalid entry', fault)
    type('name', `not ${fault}.`)
    await until(() => faults().length === 0, 'the error to disappear')
  }
})

test('a result code that concerns a field is shown there, others are not shown', async () => {
  const { submit, faults, host } = showForm({ name: 'a' })
  respond = async () => ({ result: NAME_EXISTS })
  submit()
  await until(() => faults()[0] === 'The name already exists', 'the refusal')
  respond = async () => ({ result: NOT_PERMITTED })
  submit()
  await until(() => sentValues.length === 2 && !host.querySelector('[aria-busy]'), 'the response')
  assert.deepEqual(faults(), [])
})

test('a form that is unmounted before the response arrives is not updated', async () => {
  const { submit, host } = showForm({ name: 'a' })
  const response = Promise.withResolvers<TestResponse>()
  respond = () => response.promise
  submit()
  await until(() => sentValues.length === 1, 'the form')
  const { render } = await import('preact')
  render(null, host)
  response.resolve({ result: NAME_EXISTS })
  await response.promise
  assert.equal(host.textContent, '')
})

test('the value of a date field is a day, or a day and a time', async () => {
  const rules = { day: (value: string) => (value > '2026-03-01' ? undefined : { name: 'invalid' as const }) }
  const Dates = () => {
    const form = useForm(rules, { day: '', moment: '2026-03-01T09:30' }, async (values) => {
      sentValues.push(values as never)
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
  await until(() => !host.querySelector('.fault'), 'the error to disappear')
  host.querySelector('form')?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
  await until(() => sentValues.length === 1, 'the form')
  assert.deepEqual(sentValues[0], { day: '2026-03-02', moment: '2026-03-01T09:30' })
})

test('the button of a password field shows and hides the text', async () => {
  const { input, host } = showForm()
  const eye = host.querySelector('.beside .button') as HTMLButtonElement
  assert.equal(input('key').type, 'password')
  eye.click()
  await until(() => input('key').type === 'text', 'the password to be shown')
  assert.equal(eye.getAttribute('aria-pressed'), 'true')
  eye.click()
  await until(() => input('key').type === 'password', 'the password to be hidden')
})

test.run()
