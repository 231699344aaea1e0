// Valid requests of the calls for power and reset.
import { getPower, rebootHub, rebootSystem, resetSettings, shutDownSystem } from '../../../contract/machine/power.ts'
import { md5 } from '../../kit/hub/hub.ts'
import { examples } from './examples.ts'

examples(getPower, {})
examples(rebootSystem, {}, { force: true })
examples(rebootHub, {}, { force: true })
examples(shutDownSystem, {}, { force: true })
examples(
  resetSettings,
  { name: 'hub', pass: md5('Admin') },
  {
    name: 'x'.repeat(256),
    pass: md5('Admin'),
    code: '123456',
    'keep-network': true,
    'keep-license': false,
    force: true
  }
)
