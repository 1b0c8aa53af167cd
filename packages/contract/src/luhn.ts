/** True when the digits carry a right check digit (ISO/IEC 7812-1, annex B); false for anything but digits. */
export function passesLuhn(digits: string) {
  if (!/^\d+$/.test(digits)) return false
  let sum = 0
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place])
    const doubled = place % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
