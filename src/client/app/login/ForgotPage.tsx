import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { productBrand, useBrand } from '../brand.ts';
import { Brandmark } from './brandmark.tsx';
import styles from './login.module.css';

/** A password is reset by the company's administrator. */
export default function ForgotPage() {
  const brand = useBrand() ?? productBrand;
  useEffect(() => {
    document.title = `Forgot password · ${brand.title}`;
  }, [brand.title]);
  return (
    <main className={styles.page}>
      <section className={styles.card} aria-labelledby="forgot-heading">
        <Brandmark brand={brand} />
        <div className={styles.words}>
          <h1 id="forgot-heading">Forgot your password?</h1>
          <p>Ask your administrator to reset your password.</p>
          {brand.supportEmail && (
            <p>
              <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>
            </p>
          )}
        </div>
        <div className={styles.links}>
          <Link to="/login">Back to sign in</Link>
        </div>
      </section>
    </main>
  );
}
