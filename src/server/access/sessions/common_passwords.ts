/**
 * The most common passwords of ten or more characters: shorter ones are refused for their length. Collected from
 * published lists of leaked passwords; in lower case.
 */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `1234567890 0123456789 0987654321 9876543210 1234567891 12345678910 123456789a 123456789q 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc
qwertyuiop qwerty1234 qwerty12345 qwerty123456 qwertyuiop123 asdfghjkl1 asdfghjkl; zxcvbnm123 1234qwerasdf qazwsxedcrfv qazwsxedc1
q1w2e3r4t5 q1w2e3r4t5y6 zaq12wsxcde3 zaq1zaq1zaq1 abcdefghij abcdefghijk abcd123456 abc1234567 abc123456789 a123456789 aa123456789
asd123456789 aaaaaaaaaa 1111111111 0000000000 2222222222 5555555555 6666666666 7777777777 8888888888 9999999999 1212121212 1122334455
1029384756 0102030405 1020304050 11223344556 12341234123 123123123123 1231231234 123321123321 123654789 1478963250 147258369a
password12 password123 password1234 password12345 password01 password11 passwordpassword passw0rd123 p@ssw0rd123 p@ssword123 p@ssword12
pass123456 pass1234567 mypassword mypassword1 newpassword changeme123 welcome123 welcome1234 welcome@123 admin12345 admin123456
admin@1234 administrator letmein123 letmein1234 iloveyou12 iloveyou123 iloveyou1234 iloveyou11 iloveyouso iloveyou143 ilovemyself
sunshine12 princess12 princess123 football12 football123 baseball12 basketball basketball1 volleyball cheerleader butterfly1 strawberry
chocolate1 watermelon blackberry raspberry1 starwars12 superman12 superman123 spiderman1 spiderman123 batman1234 dragonball pokemon123
naruto1234 metallica1 slipknot666 liverpool1 manchester barcelona1 realmadrid juventus10 chelsea123 arsenal123 cricket123 sachin1234
india12345 india@1234 bharat1234 hindustan1 krishna123 jaishriram jaimatadi1 omnamahshivaya ganesh1234 saibaba123 lakshmi123 shivshakti
computer12 computer123 microsoft1 windows123 samsung123 google1234 facebook12 facebook123 linkedin12 whatsapp12 internet12 monkey1234
michael123 jennifer12 jessica123 alexander1 alexandra1 christian1 christina1 christine1 elizabeth1 stephanie1 nicole1234 daniel1234
charlie123 anthony123 jonathan12 jordan2323 tigger1234 shadow1234 master1234 hunter1234 freedom123 whatever12 trustno1234 helloworld
hello12345 hello123456 test123456 test1234567 testing123 testtest123 guest12345 user123456 default123 secret1234 thankyou123 qwe123qwe123
qweasdzxc1 qweasdzxc123 1qazxsw23edc !qaz2wsx3edc 1qaz@wsx3edc zxcvbnm,./ zxcvbnmasdf poiuytrewq lkjhgfdsa1 mnbvcxzlkj 1a2b3c4d5e a1b2c3d4e5
a1s2d3f4g5 1z2x3c4v5b qwerasdfzxcv qwer1234asdf asdf1234qwer asdfasdfasdf qwerqwerqwer testtesttest 123qweasdzxc 123qwe123qwe 123abc123abc
january2024 february2024 march12345 summer2023 summer2024 summer2025 winter2023 winter2024 winter2025 spring2024 spring2025 autumn2024
monday1234 friday1234 company123 company@123 office1234 manager123 employee123 service123 support123 business123 temp123456 temporary1
correcthorsebatterystaple`
    .split(/\s+/)
    .filter((password) => password.length >= 10),
);
