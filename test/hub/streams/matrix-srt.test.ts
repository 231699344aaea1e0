import { crossAll } from './matrix.ts'

crossAll('SRT', ['device', 'SRT caller', 'SRT listener'])
