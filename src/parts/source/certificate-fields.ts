// The fields of inputs and outputs that connect to TLS servers: how the certificate is checked.
import { required } from '../../../contract/rules/rules.ts'
import { FIELD_TEXT } from './field-text.ts'
import type { SourceField, SourceValues } from './source-form.ts'

const OWN_CA = 'own-ca'

/**
 * @param kinds that can connect to a TLS server
 * @param isOffered whether the form is of a TLS server
 */
export const certificateFields = (
  kinds: readonly string[],
  isOffered: (values: SourceValues) => boolean = () => true
): readonly SourceField[] => [
  {
    wireName: 'certificate-check',
    title: FIELD_TEXT.check,
    hint: FIELD_TEXT.checkHint,
    kinds,
    isOffered,
    initial: 'verify',
    options: [
      ['verify', FIELD_TEXT.verify],
      [OWN_CA, FIELD_TEXT.ownCa],
      ['accept-any', FIELD_TEXT.acceptAny]
    ]
  },
  {
    wireName: 'trusted-certificates',
    title: FIELD_TEXT.trusted,
    hint: FIELD_TEXT.trustedHint,
    kinds,
    isOffered: (values) => values['certificate-check'] === OWN_CA && isOffered(values),
    rule: required,
    multiline: true
  }
]
