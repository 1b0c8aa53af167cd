/**
 * The brand mark as a PNG of 84 × 84 pixels, for emails: clients remove inline drawings. A
 * screenshot of `apps/console/public/favicon.svg` without a background.
 */
const base64 = [
  'iVBORw0KGgoAAAANSUhEUgAAAFQAAABUCAYAAAAcaxDBAAAKR0lEQVR4nOydCXDU1R3Hv//dZLO7uSQHCVdMSMIh',
  'ESQcpYYKODIaC8gAIpRqFbQj19gC0qG2U7F0nGJ1OoPUCihOC1YBMVg8quWUSwj3JZBkN8fm2s21m72Pf3/vVTLL',
  'kWT3vzl2k/3MvNn8//v+M5vvvvd7v+O9JAIBELV49VA53FMgCCOopQvAvYBITYhDSCAa6bOWiqKopYtSiOJlN+QH',
  '7O+svwaJCPAT5bJVk+UeLBKBKYIgDEAPhATWkTAH3DK8Z3v7Lwf9edZnQaOWrhgih/wNemAGehEk7h634Flt3/jW',
  'dV/6ty/o8jXJao9rLf30AnWOQC+EZqOLXjZbZBF/wIbX9W31bVvQpWsS1aKzgKb2RIRhyh4yy20zsGGDsbUurQpK',
  'tjJD5hH+KwgYjDDeXHZ7nDNs7/y15G5vyu52U7Xs5TxaeE6GxbwrI+SyyBPqxSvH3O3NOwVduDpWJorvkxuUhDCt',
  'kUz6bMby5Xe4h7cLKqhVnp30MgRh2oTWldFqd9RHuM1syr0vaBi/KAiylxDGJ0jU7MixP652Fh4vbLnX8u6SJTHR',
  'QjQztMkI4w96s1XIxPvrTeyiZcqrBPXvEBZTCskqleeVmxd8hCqWrB4eIXjOChCiEMZvRIh2j1M+xLbpz2V8hMoF',
  'zy/CYkqHaSdEupewn7mgMlGYCQmkxMUizP+5qaGgWLZyWKQouwoJHP3NS4hVKbGr8Bx2nT6HK1U16M04Bc9wuXLs',
  'xOdpzD4CP4lWKLB+zgwkREcjL2swXnjoQcwcPRJ9otWoajSiwWJFb0MuCjq5YlzeMhI0B37y8LBszBufe8u95NgY',
  'TBqShcWTJyI/ZzjilFGoaGiEyWZHL6GOpeNSIYGJWW2H+aPTBvK2buZPcbxESybhPD49cx76ZjN6MKkRoiBS6cLv',
  'xD0mZKb71I+iCTyYmcHbW3Nn4sC1Im5v95y9iEZrjzMLqYJ66SqbFJep+s0/IiZKuqflcLmx7/vrfEHbe+EyzA4H',
  'Qh4RTRFSxEykhScQMRmKCDm3s6xZnU58efEqH7n/ufw97C4XQhIB8ZJKGll9OzZCVUVGYlbuSN7YArb3wiXsJJu7',
  '/+p1uDwehBJBIag3seQZzB8/hrd6swV7zl3kI/fwjRJWMEOwI0nQ1PiuiZASyLQ8l/cj3mqMJnxCXgIT96SmDMGK',
  'JEGZU9/VsDB3Cfm3rJXVN+ATMgk7SdwLFZUIJiQJqo7qekG9SUvog19PnczbjVo993E/PnUGRbUGdDchM0JbI5vs',
  '+Zr8R3i7pKvCDnLDdp4+i/L6RnQHkgQNVrcmZ0A/3l57Ih+ntGXc3u4sPI9akwldhSRBq41d9wGlMi49jbfXZ03H',
  '0SINF3c3LWqdnbSRJmiTEaGCjELfn2QP5u1NCn0PXrvBzcJn5y6h2d7xSRu5Ynzeq/CTe1QqLJgwFqEGE3dwchKm',
  'j8rBqkcfxsiB/fm9Yr2hwwIISSP0hEYLs92B6KjgWZykMG3kCN5YHuGLi1d4XuHrK9fgdLshFUkj1O0RMT4jDdkp',
  'PaNIqpDLMaJ/Kp4c+wDP5Q6h38vicKK0rh7+xmaSBGVE0IeYMcrvvHTQo4yM4KZgPiXPfzkpD/cm9uGzkQUTviBE',
  'L31ZcoD83W9X8G+2N1BAOYWfb/lnu/1kCICVOz5Fb8BNC9afPv/ap74BCXqE/LtffbQbPZ13Dx/DVR8rugEJythy',
  '5ASe3bqdG/GeCPO51372lc/9JS9K3rB6/Cb6FllIej8ZdCUljHsCbKo/sXELtLTa+0qHCMpgYn5LSeCNB47wJIVc',
  'JiA9MZG8gYAnQbfx+4LPsfvsBb+eCWiVbw+1IpI7zk+Ny8WjI4YhlGCVggU+rOq306mCehOnVGLm6PsxZ8wDmDQk',
  'k0Zw8I7cbyhamvvuB5Iipi4T1Js+ahUXdvaYUcijej2r3QcLh64VYebf3pMcfnaLoN70i48jcUdhdu4DGJs+CN3J',
  'v06ewbIPdwWU7+12Qb3pf0885pG9ZQKz8K+rsDldWLWzAB8cO4lACSpBvcnqm8TNAoupM5M774RPobYci7fv8Nlx',
  'b4+gFdSbHMoX3LS5GUmJ6AjYhoq1//4Kfz90FB2JMPSNjWJleTk8AeQAuxJmZ2fljsLjOffxUewvbHvlpsPHsfXo',
  'iU4phwgLT18RnRQ2VpSVoUxTghqqc4tiaGx/GZRwD6YMzcZkaszmpicm8PTb7bBpfbSoBPup/LHvqk+ntCXDBfW+',
  'YaOpUFGqRXmxBrU11ezAOEIJtrAN7BPPc5h6k7lLK56MOwT1xmq2oEyrRVlJCer1eoRpnzYF9abZ1IxyErZUo0FT',
  've/Jgt6Gz4J609TYSKNWg7LiYhI6+Gv0XYkkQb2pN9TxxYwJbDX36P3zPhGwoDdhezcNtbVc2HIyC3abDb2RDhPU',
  'Gw8lZmuqqvnI1WlK4XT2gP3zPtIpgnrjpoChWqfjI1dHvq47VPfP+0in/9kgOdXvB6Sl8eaiJISOojLmLVTpKig6',
  'C639877Q6SO0NZgZ0GnLoC2m6KxSh84mITkZffulIiklBTGxsVBHqyFQjdJms/LF1ETFuPq6Or4OBOIWdpug3rDo',
  'jC1k5WRz9dUddwA3SqVCRnYWMocOIxFjfH7O3Ew+t0ZLEWMp6khgfwgKQb2x0Ggp/cFTaDBI2+IdGx+PnNGjkTY4',
  'A4FitVi4sMz+1+ja388fdIJ6YzIa+UgpLS6CsbGp3f4pAwbSaMzGoPR0dAYOh4PMUyWZKhq59GU3G+/cJys8ffy8',
  'GKkI/jq6zWpBnd7AAwk2Jdm1kqa0OjoaiWQfk1JTEKXo2j9K4XK5ub1ldpj53TaLzS48deg7R3RMbM/YmdDNkLly',
  'yex2hwVhOgSb1WqWuez20NkwH+SQoA0ys9V2GWE6BLfHXSwz2y1vI0yHIMpk2/mWjXnfFtrVanVon0DoZpwOhztz',
  'wigF32BUbzBcQZiAMOj1518VBA8XtMnYtAJhAsLpcrzGXlt2aeUXfHOl36ABwxHGb+r0eu2exybxOLdlT2GTsW4u',
  '5S5Dq2YcBHioVNFotsy9ed0i6LFn5l2iXOVZhPGL6krdmUOz80/dvL5l16u5QTbV2NTYjDA+YTKZLM0mx1Tve7cI',
  'evz5x+qLSitzKWXVM490dCBWq9WlKS7NPbJg2i1H7O7Yl33uuTk3iopv5FtttrA9bQVK44maYk1+4aK5d/wTllb3',
  'Yudu3jYhMytrf2xcnAphWqDZ66iuqHr8wPzp++72fpub2+/bsiNhcP/kS31TUvohDNWcDAaTwZGz72ePtFqn8eW0',
  'gDDpw4JNA+5NW6RUKoPndEEXU1NZ9cW4aQ9PZ9FQW/18Fmjk5h0Z/ZP7fNlvYP+hwXRqo7OhkLLcI3qe2Zs/5aAv',
  '/f1WZsI/Pn4xKTH5lYTExIERPeQI4u047A4YampL6xpq1p5a+PRWf54NaKg9tK1gXUxczDylSplK4iqoyckshNRZ',
  'RJvN5nE5nG6Xy+GwmG0VzY2N2448++Q6SOR/AAAA///duQFZAAAABklEQVQDANeTTRikD0X5AAAAAElFTkSuQmCC',
].join('')

export const markPicture = Buffer.from(base64, 'base64')

/** SHA-256 of the paths in the drawing that the picture shows. A test fails when it changes. */
export const markDigest = '922b2bdb5a78984fe04208ea865d27eb876868affce865787d2e50619293ad31'
