// All tables of cases for the validation rules.
import './cases/basic.ts'
import './cases/names.ts'
import './cases/ndi-names.ts'
import './cases/accounts.ts'
import './cases/numbers.ts'
import './cases/networks.ts'
import './cases/interfaces.ts'
import './cases/ndi.ts'
import './cases/comparisons.ts'
import './cases/files.ts'
import './cases/matrices.ts'

export { type RuleTable, tables, verdictOf } from './cases/table.ts'
