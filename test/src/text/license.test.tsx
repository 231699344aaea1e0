import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { licenseExpiresText } from '../../../src/text/license.ts'
import { inBothLanguages } from '../../kit/both-languages.ts'
import { inGivenLanguage } from './with-language.ts'

const test = suite('licenses')

test('the expiry notice contains the days and the date', () => {
  assert.deepEqual(inBothLanguages(inGivenLanguage(() => licenseExpiresText(14, '2026-12-05'))), [
    'The license expires in 14 days, on 2026-12-05. Please renew it.',
    '许可证将于 14 天后（2026-12-05）到期，请续订。'
  ])
})

test.run()
