import type { Random } from './random.ts';

export type Language = 'tamil' | 'kannada' | 'telugu' | 'malayalam' | 'marathi' | 'bengali' | 'hindi';

interface Names {
  male: string[];
  female: string[];
  family: string[];
}

const words = (text: string) => text.split(' ');

const NAMES: Record<Language, Names> = {
  tamil: {
    male: words(
      'Karthik Senthil Murugan Arun Vignesh Saravanan Prabhu Balaji Dinesh Ramesh Suresh Gopinath Manikandan Vijay Elango Anand Hariharan Jagadeesh Kumaran Muthukumar Naveen Parthiban Rajkumar Sathish Shankar Sivakumar Sundar Thirumalai Velmurugan Yuvaraj',
    ),
    female: words(
      'Kavitha Meenakshi Priya Lakshmi Revathi Deepa Gayathri Nithya Sangeetha Vidya Abirami Bhuvana Divya Hemalatha Indhumathi Jayanthi Kalaivani Malarvizhi Padmavathi Selvi',
    ),
    family: words(
      'Subramanian Natarajan Krishnan Venkatesan Palaniswamy Ramasamy Chandrasekaran Sundaram Rajendran Govindan Arumugam Duraisamy Ganesan Jayaraman Kandasamy Loganathan Mahalingam Nagarajan Periyasamy Selvaraj Shanmugam Thangavel Varadarajan Viswanathan',
    ),
  },
  kannada: {
    male: words(
      'Manjunath Raghavendra Girish Prakash Basavaraj Chethan Darshan Harish Kiran Lokesh Mahesh Nagaraj Praveen Santosh Shivakumar Umesh',
    ),
    female: words('Asha Bhagya Chaitra Geetha Kavya Lavanya Manjula Pallavi Rashmi Shruthi Sowmya Vani'),
    family: words('Gowda Shetty Hegde Rao Bhat Murthy Kulkarni Patil Hiremath Nayak Acharya Kamath Urs Poojary'),
  },
  telugu: {
    male: words(
      'Venkatesh Srinivas Ravi Naresh Kalyan Phani Sudhakar Chandra Rajesh Satish Vamsi Kishore Anil Bhaskar',
    ),
    female: words('Anusha Bhavani Haritha Keerthi Lalitha Madhavi Padmaja Sirisha Swathi Sravani Tejaswi'),
    family: words('Reddy Naidu Rao Chowdary Varma Prasad Yadav Goud Raju Sastry Kumar Murthy Babu'),
  },
  malayalam: {
    male: words('Anoop Biju Jithin Sreejith Vinod Rajeev Sajan Thomas George Nikhil Ajith Manoj Unnikrishnan'),
    female: words('Anjali Beena Deepthi Lekha Mini Neethu Parvathy Remya Sreeja Sindhu Asha'),
    family: words('Nair Menon Pillai Kurian Varghese Mathew Namboothiri Panicker Kurup Joseph Warrier Thampi'),
  },
  marathi: {
    male: words(
      'Sachin Nilesh Amol Vikas Prashant Mahesh Sandeep Rohit Ganesh Abhijit Tushar Sagar Swapnil Yogesh Aniket Kunal',
    ),
    female: words('Snehal Pooja Ashwini Manisha Prajakta Rutuja Shweta Vaishali Madhuri Sayali Tejal Mrunal'),
    family: words(
      'Patil Deshmukh Joshi Kulkarni Jadhav Shinde Pawar Kale More Gaikwad Chavan Deshpande Bhosale Sawant Mane Apte',
    ),
  },
  bengali: {
    male: words('Subhash Anirban Debashis Sourav Arindam Kaushik Partha Sandip Tapas Abhijit Indranil Dipankar'),
    female: words('Ananya Debjani Moumita Paramita Rituparna Sharmila Sutapa Tanushree Barnali Ishani'),
    family: words('Banerjee Mukherjee Chatterjee Ghosh Das Bose Sen Dutta Roy Chakraborty Sarkar Mitra Ganguly Nandi'),
  },
  hindi: {
    male: words(
      'Rahul Amit Vikram Sanjay Deepak Rajesh Manish Alok Vivek Ashok Pankaj Nitin Gaurav Mohit Tarun Saurabh',
    ),
    female: words('Neha Pooja Sunita Ritu Kavita Shalini Anita Nisha Preeti Swati Meera Shikha'),
    family: words(
      'Sharma Verma Gupta Singh Agarwal Mishra Tiwari Chauhan Saxena Srivastava Mehta Bansal Malhotra Kapoor Joshi Rawat',
    ),
  },
};

/** The language of most people hired in a state; one in eight comes from elsewhere. */
const LANGUAGE_OF_STATE: Record<string, Language> = {
  TN: 'tamil',
  KA: 'kannada',
  TS: 'telugu',
  AP: 'telugu',
  KL: 'malayalam',
  MH: 'marathi',
  WB: 'bengali',
  UK: 'hindi',
  DL: 'hindi',
};

export interface Name {
  first: string;
  last: string;
  gender: 'male' | 'female';
}

/** A realistic name of a person who works in the state. */
export function nameFor(random: Random, state: string, shareOfWomen: number): Name {
  const home = LANGUAGE_OF_STATE[state] ?? 'hindi';
  const tongue = random.chance(0.125) ? random.pick(Object.keys(NAMES) as Language[]) : home;
  const gender = random.chance(shareOfWomen) ? 'female' : 'male';
  return { first: random.pick(NAMES[tongue][gender]), last: random.pick(NAMES[tongue].family), gender };
}
