import type { Brand } from '../brand.ts';
import styles from './login.module.css';

/** The client's logo, or the product's. */
export function Brandmark({ brand }: { brand: Brand }) {
  return (
    <div className={styles.mark}>
      <img src={brand.logo ?? '/favicon.svg'} alt="" width={40} height={40} />
      <span>{brand.title}</span>
    </div>
  );
}
